import type { Docs, SearchAnswer } from '@pith-mcp/docs'
import { z } from 'zod'
import { renderSearch } from '../render/render-search.ts'
import { defineTool, flag, numberWithin, optionalFilters, optionalText } from './tool.ts'

export const searchDocs = defineTool({
  name: 'search_docs',
  isEntry: true,
  description:
    'Search the docs: find sections about a subject in the documentation, manual and reference. Returns titles, URLs and excerpts.',
  input: z.object({
    query: z.string().describe('Words that the documentation uses'),
    source: optionalText().describe(
      'Part of the name of a source, or the URL of any documentation site; default: all sources',
    ),
    max_results: numberWithin(1, 20, 5),
    include_headings: flag().describe('Also list the headings of each page'),
    language: optionalText().describe('Tag, such as ja'),
    filters: optionalFilters().describe('Filter values of a reply, by name'),
  }),
  async answer({ query, source, max_results, include_headings, language, filters }, docs, call) {
    const answer = await docs.search(query, {
      maxResults: max_results,
      includeHeadings: include_headings,
      source: source?.trim() || undefined,
      language,
      filters,
      ...call,
    })
    const section = await leadingSection(answer, docs)
    return { text: renderSearch(answer, section), data: searchReply(answer) }
  },
})

/** From this lead on, the first hit is shown whole; from a larger one, alone. */
const minLead = 1.5
/** Tokens of a section that is shown whole. */
const maxTokens = 600

/** The section of a hit that is far ahead, if it is short enough to be shown whole. */
async function leadingSection(
  { hits: [first], lead }: SearchAnswer,
  docs: Docs,
): Promise<string | undefined> {
  if (!first?.url.includes('#') || lead < minLead) return undefined
  const section = await docs
    .section(first.url, undefined, { includeCodeBlocks: true, maxLength: 4 * maxTokens })
    .catch(() => undefined)
  const isWhole = section && section.nextPage === undefined && section.tokens <= maxTokens
  return isWhole ? section.markdown.replace(/^#{1,6} .*\n+/, '').trim() : undefined
}

/** Figures of a search, for programs. */
export function searchReply(answer: SearchAnswer) {
  const { query, hits, matchingPages, isAll, sources, repairs, facets } = answer
  return {
    query,
    results: hits.map(({ url, score, near, source: from }) => ({
      url,
      score,
      near: near.map(({ id }) => id),
      source: from,
    })),
    matching_pages: matchingPages,
    is_all: isAll,
    repairs,
    sources: sources.map(({ name, via, pages, sections, failed, isComplete, site }) => ({
      name,
      via,
      pages,
      sections,
      failed,
      is_complete: isComplete,
      ...(site && { site: site.name, ...(site.problem && { problem: site.problem }) }),
    })),
    ...(facets && { filters: someOf(facets) }),
  }
}

/** Filter values, bounded. */
const someOf = (facets: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(
    Object.entries(facets)
      .slice(0, 10)
      .map(([name, values]) => [name, values.slice(0, 30).map((value) => value.slice(0, 100))]),
  )
