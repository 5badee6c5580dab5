import type { Docs, SearchAnswer } from '@pith-mcp/docs'
import { z } from 'zod'
import { renderSearch, standingAlone } from '../render/render-search.ts'
import {
  defineTool,
  flag,
  numberWithin,
  optionalFilters,
  optionalList,
  optionalText,
} from './tool.ts'

export const searchDocs = defineTool({
  name: 'search_docs',
  isEntry: true,
  description:
    'Search the docs: find sections about a subject in the documentation, manual and reference. Returns their text and URLs.',
  input: z.object({
    queries: optionalList().describe("The question, then two guesses at the manual's own words"),
    source: optionalText().describe('Name or part of it, or URL of any documentation site'),
    max_tokens: numberWithin(100, 3_000, 600).describe('300, 600 or 1200'),
    max_results: numberWithin(1, 20, 10).describe('Pages'),
    include_headings: flag(),
    language: optionalText().describe('Such as ja'),
    filters: optionalFilters().describe('As a reply names them'),
    /** Understood, as clients know it from other servers. */
    query: optionalText(),
  }),
  async answer(input, docs, call) {
    const { query, queries = [], source, max_results, max_tokens, include_headings } = input
    const { language, filters } = input
    const answer = await docs.search(query === undefined ? queries : [query, ...queries], {
      maxTokens: max_tokens,
      maxRead,
      maxResults: max_results,
      includeHeadings: include_headings,
      source: source?.trim() || undefined,
      language,
      filters,
      ...call,
    })
    const section = await leadingSection(answer, docs)
    const isAlone = section !== undefined
    const reply = isAlone ? standingAlone(answer, section) : answer
    return { text: renderSearch(reply, { isAlone }), data: searchReply(reply) }
  },
})

/** Pages of a site's own search that are read for their sections. */
const maxRead = 5

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
  const { queries, hits, matchingPages, matchingSections, isAll, sources, repairs, facets } = answer
  return {
    queries,
    results: hits.map(({ url, score, sections, source: from }) => ({
      url,
      score,
      sections: sections.map(({ id, tokens, text, isWhole }) => ({
        id,
        tokens,
        shown: isWhole ? 'whole' : text === '' ? 'named' : 'part',
      })),
      source: from,
    })),
    missing: answer.missing,
    matching_pages: matchingPages,
    matching_sections: matchingSections,
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
