import type { SearchAnswer } from '@pith-mcp/docs'
import { z } from 'zod'
import { renderSearch } from '../render/render-search.ts'
import { flag, numberOr, optionalFilters, optionalText } from './parameters.ts'
import { defineTool } from './tool.ts'

export const searchDocs = defineTool({
  name: 'search_docs',
  description: 'Find sections in the documentation. Returns titles, URLs and excerpts.',
  input: z.object({
    query: z.string().describe('Words that the documentation uses'),
    source: optionalText().describe(
      'Part of the name of a source, or the URL of any documentation site; default: all sources',
    ),
    max_results: numberOr(5).describe('1-20'),
    include_headings: flag().describe('Also list the headings of each page'),
    language: optionalText().describe('Tag, such as ja'),
    filters: optionalFilters().describe('Filter values of a reply, by name'),
  }),
  async answer({ query, source, max_results, include_headings, language, filters }, docs, call) {
    const answer = await docs.search(query, {
      maxResults: max_results,
      includeHeadings: include_headings,
      ...(source !== undefined && source.trim() !== '' && { source }),
      ...(language !== undefined && { language }),
      ...(filters !== undefined && { filters }),
      ...call,
    })
    return { text: renderSearch(answer), data: searchReply(answer) }
  },
})

/** Figures of a search, for programs. */
export function searchReply(answer: SearchAnswer) {
  const { query, hits, matchingPages, isAll, sources, repairs, facets } = answer
  return {
    query,
    results: hits.map(({ url, score, source: from }) => ({ url, score, source: from })),
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
