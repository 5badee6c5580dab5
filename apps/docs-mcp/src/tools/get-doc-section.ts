import { z } from 'zod'
import { renderSection } from '../render/render-section.ts'
import { includeCodeBlocks, maxLength, optionalText, page, url } from './parameters.ts'
import { defineTool } from './tool.ts'

export const getDocSection = defineTool({
  name: 'get_doc_section',
  description: 'Read one section of a page, with its subsections.',
  input: z.object({
    url,
    section: optionalText().describe('Id or title; may be left out if the URL has it'),
    include_code_blocks: includeCodeBlocks,
    max_length: maxLength,
    page,
  }),
  async answer({ url, section, include_code_blocks, max_length, page }, docs) {
    const answer = await docs.section(url, section, {
      includeCodeBlocks: include_code_blocks,
      maxLength: max_length,
      ...(page !== undefined && { page }),
    })
    return renderSection(answer, include_code_blocks)
  },
})
