import type { Docs, SectionsAnswer } from '@pith-mcp/docs'
import { CallError, callText } from '@pith-mcp/server-kit/tools'
import { z } from 'zod'
import { renderSections } from '../../render/render-section.ts'
import { linesOf } from '../../render/reply-text.ts'
import { maxText } from '../../reply-limit.ts'
import { figuresOfSections } from '../../tools/figures.ts'
import { defineTool, optionalText, requiredList } from '../../tools/tool.ts'
import { checkUrl } from './check-url.ts'
import { orFailAs } from './failures.ts'
import { longTables } from './long-tables.ts'
import { idsOf, orNoSection, quoted, sectionsOf } from './page-sections.ts'

const maxSections = 20

export const readSections = defineTool({
  name: 'read_sections',
  description:
    'Read sections of an AWS documentation page by their titles, whatever their level, each with its subsections.',
  input: z.object({
    url: z.string().describe('URL of the page, ending in .html'),
    section_titles: requiredList().describe('Titles, whatever their case'),
    page: optionalText().describe('Token from the previous reply, to go on with one section'),
  }),
  async answer({ url, section_titles: titles, page: token }, docs) {
    checkUrl(url, docs)
    if (titles.length === 0)
      throw new CallError(
        'section_titles parameter cannot be empty',
        'Pass titles as search results have them.',
      )
    if (token !== undefined && token.trim() !== '') return goOn(url, titles, token, docs)
    const page = await orFailAs(`Failed to fetch ${url}`, sectionsOf(url, docs))
    const matches = titles.map((title) => ({ title, ids: idsOf(title, page) }))
    const sectionIds = matches.flatMap(({ ids }) => ids)
    const missingTitles = matches.filter(({ ids }) => ids.length === 0).map(({ title }) => title)
    // Existing sections come before names that may not exist.
    const ordered = [...new Set([...sectionIds, ...missingTitles])]
    const some = ordered.slice(0, maxSections)
    const answer = await docs
      .sections(url, some, wholeText(url))
      .catch((error) => orNoSection(error, titles, url, docs))
    return replyOf(answer, ordered.slice(maxSections))
  },
})

const wholeText = (url: string) => ({
  maxLength: maxText,
  includeCodeBlocks: true,
  tables: longTables(url),
})

async function goOn(url: string, titles: readonly string[], token: string, docs: Docs) {
  const [title = ''] = titles
  if (titles.length > 1)
    throw new CallError(
      'page goes on with one section.',
      'Pass that section alone, as the reply before has it.',
    )
  const answer = await docs
    .section(url, title, { ...wholeText(url), page: token })
    .catch((error) => orNoSection(error, titles, url, docs))
  const { section, title: of, origin, ...excerpt } = answer
  const sections = [{ url, pageTitle: of, ...section, excerpt, origin }]
  return replyOf({ url, title: of, origin, sections, missing: [] }, [])
}

function replyOf(answer: SectionsAnswer, remainingNames: readonly string[]) {
  const { url } = answer
  const missing = answer.missing.map(({ name }) => name)
  return {
    text: linesOf(
      renderSections({ ...answer, missing: [] }, true, (id) => [
        'read_sections',
        { url, section_titles: [id] },
      ]),
      missing.length > 0 &&
        `Note: The following requested sections were not found: ${quoted(missing)}`,
      remainingNames.length > 0 &&
        `[${remainingNames.length} more sections: ${callText('read_sections', { url, section_titles: remainingNames.slice(0, maxSections) })}]`,
    ),
    data: figuresOfSections(answer),
  }
}
