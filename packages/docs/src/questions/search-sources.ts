import type { Page } from '@pith-mcp/cleaner'
import pLimit from 'p-limit'
import { DocsError } from '../common/docs-error.ts'
import { quoteValue } from '../common/quote-value.ts'
import type { OpenIndex } from '../indexer/source-indexes.ts'
import { askSite, filtersOf, type SiteOutcome } from './ask-site.ts'
import { completed, type Pending, readingEnds } from './complete-hit.ts'
import type { Repair } from './repair-query.ts'
import { type IndexHits, resultsWanted, type SearchHit, type SearchOptions } from './search-in.ts'
import { type SearchCall, type SearchedSource, searchIndexes } from './search-indexes.ts'

export interface SearchAnswer {
  query: string
  hits: SearchHit[]
  /** Pages with a match, shown or not; at least so many if `isAll` is false. */
  matchingPages: number
  isAll: boolean
  sources: SearchedSource[]
  /** Words that no page has, and what was searched instead. */
  repairs: Repair[]
  /** Words that no page has, each with words that pages have. */
  misses: { word: string; nearest: string[] }[]
  /** Languages of the pages, if none is in the one that was asked for. */
  otherLanguages?: string[]
  /** Then pages in the site's own first language were searched, not all. */
  isDefaultLanguage?: boolean
  /** Values by which the search can be narrowed, by the names of filters. */
  facets?: Record<string, string[]>
  /** Names of sources that were not searched, since they do not have the filters. */
  leftOut?: string[]
}

const readAtOnce = 4

/**
 * Bring the indexes up to date, within the time there is, and search them; once more, if one of them
 * was found to be damaged and begun anew.
 */
export async function searchSources(
  opened: readonly OpenIndex[],
  query: string,
  options: SearchCall,
  read: (url: string) => Promise<Page>,
): Promise<SearchAnswer> {
  const answer = await searchOnce(opened, query, options, read)
  const complete = answer.sources.filter(
    ({ isComplete, rung, site }) => isComplete && rung !== site?.name,
  )
  const names = new Set(complete.map(({ name }) => name))
  const listings = await Promise.all(
    opened
      .filter(({ source }) => names.has(source.name))
      .map(({ index }) => index.state('listing')),
  )
  return listings.includes(undefined) ? searchOnce(opened, query, options, read) : answer
}

async function searchOnce(
  opened: readonly OpenIndex[],
  query: string,
  options: SearchCall,
  read: (url: string) => Promise<Page>,
): Promise<SearchAnswer> {
  const maxResults = resultsWanted(options.maxResults)
  const { language, signal } = options
  const filters = Object.keys(options.filters ?? {}).length > 0 ? options.filters : undefined
  const { wanted, leftOut } = await narrowable(opened, filters)
  const outcomes = await Promise.all(
    wanted.map((one) => askSite(one, query, { maxResults, language, filters, signal })),
  )
  const asked = outcomes.filter((outcome) => outcome?.hits !== undefined)
  // A source that cannot be narrowed now would answer something else.
  const indexed = filters ? [] : wanted.filter((_, at) => outcomes[at]?.hits === undefined)
  const own = await searchIndexes(indexed, query, options)
  if (own.problem && asked.length === 0) throw own.problem
  if (filters && asked.length === 0) throw notNarrowed(outcomes)
  const pending = merged<Pending>([ownHits(own), ...outcomes.map(askedHits)], maxResults)
  const limit = pLimit(readAtOnce)
  const { includeHeadings = false } = options
  const completing = { query, includeHeadings, read, over: readingEnds(signal) }
  const hits = await Promise.all(pending.map((one) => limit(() => completed(one, completing))))
  signal?.throwIfAborted()
  const otherLanguages =
    own.otherLanguages ?? asked.find((outcome) => outcome?.otherLanguages)?.otherLanguages
  const isDefault = own.otherLanguages === undefined && otherLanguages !== undefined
  const facets = asked.find((outcome) => outcome?.facets)?.facets
  return {
    query,
    hits,
    matchingPages: asked.reduce((sum, one) => sum + (one?.matching ?? 0), own.matchingPages),
    isAll: own.isAll && asked.every((one) => one?.isAll),
    repairs: own.repairs,
    misses: own.misses,
    ...(otherLanguages && { otherLanguages: [...otherLanguages] }),
    ...(isDefault && { isDefaultLanguage: true }),
    ...(facets && { facets }),
    ...(leftOut.length > 0 && { leftOut }),
    sources: wanted.flatMap((one, at) => {
      const outcome = outcomes[at]
      if (outcome?.hits) return [askedSource(one.source.name, outcome)]
      const searched = own.sources[indexed.indexOf(one)]
      if (!searched) return []
      return [outcome ? { ...searched, site: siteOf(outcome) } : searched]
    }),
  }
}

const ownHits = ({ hits }: IndexHits): Pending[] =>
  hits.map(({ item, index, ...hit }) => ({
    hit,
    isPageOnly: item.isTerms === true,
    recommended: [],
    headings: () => index.headings(item.url),
  }))

const askedHits = (outcome: SiteOutcome | undefined): Pending[] =>
  (outcome?.hits ?? []).map(({ isPageOnly, recommended, ...hit }) => ({
    hit,
    isPageOnly,
    recommended,
    headings: async () => [],
  }))

/** Filters leave out the sources that do not have them. @throws {DocsError} if that is all of them. */
async function narrowable(
  opened: readonly OpenIndex[],
  filters: SearchOptions['filters'],
): Promise<{ wanted: readonly OpenIndex[]; leftOut: string[] }> {
  if (!filters) return { wanted: opened, leftOut: [] }
  const known = await Promise.all(opened.map(filtersOf))
  const names = Object.keys(filters)
  const has = opened.map((_, at) => names.every((name) => known[at]?.includes(name)))
  if (has.some(Boolean))
    return {
      wanted: opened.filter((_, at) => has[at]),
      leftOut: opened.filter((_, at) => !has[at]).map(({ source }) => source.name),
    }
  const all = [...new Set(known.flat())]
  throw new DocsError(
    'bad_argument',
    `No source can be narrowed by ${names.map(quoteValue).join(' and ')}.`,
    all.length > 0 ? `There are ${all.join(', ')}.` : 'Search without filters.',
  )
}

/** The search that could have been narrowed did not answer. */
function notNarrowed(outcomes: readonly (SiteOutcome | undefined)[]): DocsError {
  const [failed] = outcomes.flatMap((outcome) => outcome ?? [])
  return new DocsError(
    'unreachable',
    `${failed?.rung ?? 'The search'} failed: ${failed?.problem ?? 'nobody was asked'}`,
    'Search without filters: then the pages are searched in another way.',
  )
}

/** What is said of a source whose own search was asked: nobody counted its pages. */
function askedSource(name: string, outcome: SiteOutcome): SearchedSource {
  return {
    name,
    rung: outcome.rung,
    isComplete: true,
    progress: { done: 0, total: 0, sections: 0, characters: 0 },
    more: false,
    forbidden: 0,
    pages: 0,
    sections: 0,
    failed: 0,
    site: siteOf(outcome),
  }
}

const siteOf = ({ rung, problem }: SiteOutcome): NonNullable<SearchedSource['site']> => ({
  name: rung,
  ...(problem !== undefined && { problem }),
})

/** Lists that nobody can compare by their scores, by their ranks: the first of each, then the second. */
function merged<T>(lists: readonly (readonly T[])[], most: number): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  const all: T[] = []
  for (let at = 0; at < longest && all.length < most; at++)
    for (const list of lists) {
      const one = list[at]
      if (one !== undefined) all.push(one)
    }
  return all.slice(0, most)
}
