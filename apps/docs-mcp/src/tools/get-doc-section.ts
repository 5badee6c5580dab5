import type { SectionAnswer } from '@pith-mcp/docs'
import { z } from 'zod'
import { renderSection, renderSections } from '../render/render-section.ts'
import { figuresOf, figuresOfSections } from './figures.ts'
import {
  defineTool,
  includeCodeBlocks,
  maxLength,
  optionalList,
  optionalText,
  page,
  url,
} from './tool.ts'

export const getDocSection = defineTool({
  name: 'get_doc_section',
  isEntry: true,
  description: 'Read one section of a page, with its subsections; or several, within one budget.',
  input: z.object({
    url,
    section: optionalText().describe('Id or title, unless in the URL'),
    sections: optionalList().describe('Several'),
    query: optionalText().describe('Passages of long sections for it'),
    include_code_blocks: includeCodeBlocks,
    max_length: maxLength,
    page,
  }),
  async answer(input, docs) {
    const { url, section, sections = [], query, include_code_blocks, max_length, page } = input
    const options = { includeCodeBlocks: include_code_blocks, maxLength: max_length }
    const isNamed = section !== undefined || url.includes('#')
    if (sections.length > 0 || (query !== undefined && isNamed)) {
      const names = section === undefined ? sections : [section, ...sections]
      const answer = await docs.sections(url, names, { ...options, query })
      return {
        text: renderSections(answer, include_code_blocks || query !== undefined),
        data: figuresOfSections(answer),
      }
    }
    const answer = await docs.section(url, section, { ...options, page })
    return sectionReply(answer, include_code_blocks)
  },
})

export function sectionReply(answer: SectionAnswer, includesCode: boolean, parameter?: string) {
  const { url, title, section, origin } = answer
  return {
    text: renderSection(answer, includesCode, parameter),
    data: { url, title, section, origin, ...figuresOf(answer) },
  }
}
