import type { Docs, Origin, SectionsAnswer } from '@pith-mcp/docs'
import { z } from 'zod'
import { CallError } from '../../call-error.ts'
import { renderSections } from '../../render/render-section.ts'
import { figuresOf } from '../../tools/figures.ts'
import { optionalText, requiredList } from '../../tools/parameters.ts'
import { defineTool } from '../../tools/tool.ts'
import { checkUrl } from './check-url.ts'
import { orFailAs } from './failures.ts'
import { longTables } from './long-tables.ts'

const mostSections = 20
const mostListed = 60

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
    const options = { maxLength: 0, includeCodeBlocks: true, tables: longTables(url) }
    if (titles.length === 0)
      throw new CallError(
        'section_titles parameter cannot be empty',
        'Pass titles as search results have them.',
      )
    const [only = ''] = titles
    if (token !== undefined && titles.length === 1) {
      const answer = await docs.section(url, only, { ...options, page: token })
      const { section, title, origin, ...excerpt } = answer
      return replyOf({ url, title, origin, sections: [{ ...section, excerpt }], missing: [] })
    }
    const page = await orFailAs(`Failed to fetch ${url}`, sectionsOf(url, docs))
    const picked = titles.flatMap((title) => {
      const same = page.filter((section) => keyOf(section.title) === keyOf(title))
      return same.length > 0 ? same.map(({ id }) => id) : [title]
    })
    const some = picked.slice(0, mostSections)
    const answer = await docs.sections(url, some, options).catch((error: { code?: string }) => {
      if (error.code !== 'section_not_found') throw error
      throw noneOf(titles, page)
    })
    return replyOf(answer, picked.length - some.length)
  },
})

function replyOf(answer: SectionsAnswer & { origin: Origin }, left = 0) {
  const { url, title, origin, sections } = answer
  const missing = answer.missing.map(({ name }) => name)
  const quoted = missing.map((name) => JSON.stringify(name.slice(0, 200)))
  return {
    text: [
      renderSections({ ...answer, missing: [] }, true, (id) => [
        'read_sections',
        { url, section_titles: [id] },
      ]),
      ...(missing.length > 0
        ? [`Note: The following requested sections were not found: ${quoted.join(', ')}`]
        : []),
      ...(left > 0 ? [`[${left} more sections have these titles: name fewer at once]`] : []),
    ].join('\n'),
    data: {
      url,
      title,
      origin,
      sections: sections.map(({ id, title: heading, excerpt }) => ({
        id,
        title: heading,
        ...figuresOf(excerpt),
      })),
      missing,
    },
  }
}

/** Headings below the title of the page. */
export async function sectionsOf(url: string, docs: Docs) {
  const { entries, title } = await docs.toc(url)
  return entries.filter((entry) => entry.kind === 'heading' && entry.title !== title)
}

const keyOf = (title: string): string => title.trim().toLowerCase().split(/\s+/).join(' ')

function noneOf(titles: readonly string[], page: readonly { title: string }[]): CallError {
  if (page.length === 0)
    return new CallError(
      'This document does not contain subsections.',
      'Please use the read_documentation tool instead to get the full document content.',
    )
  const quoted = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(', ')
  const listed = page.slice(0, mostListed).map(({ title }) => title)
  const more = page.length > listed.length ? ` and ${page.length - listed.length} more` : ''
  return new CallError(
    `No matching sections were found: ${quoted(titles)}. Available sections: ${quoted(listed)}${more}.`,
    'Please retry with one or more of these sections or use the read_documentation tool instead to get the full document content.',
  )
}
