import type { Page } from '@pith-mcp/cleaner'
import pLimit from 'p-limit'
import { DocsError, quoteValue } from '#formats/docs-error'
import { versionInAddress } from '#formats/stated-version'
import type { SourceIndexer } from '../indexer/source-indexer.ts'
import { completed, type Pending, readingEnds } from './complete-hit.ts'
import type { QueryLanguage } from './query-language.ts'
import { filtersOf, querySite, type SiteOutcome } from './query-site-search.ts'
import {
  type IndexHits,
  requestedResults,
  requestedTokens,
  type SearchHit,
  type SearchOptions,
} from './rank-index.ts'
import { weakShare } from './rank-sections.ts'
import { rankSources, type SearchCall, type SearchedSource } from './rank-sources.ts'
import { showSections } from './show-sections.ts'

/** Results of a search in one or more sources, best first. */
export interface SearchAnswer
  extends Pick<IndexHits, 'matchingPages' | 'matchingSections' | 'isAll' | 'repairs' | 'misses'> {
  /** The wordings of the question. */
  queries: string[]
  hits: SearchHit[]
  /**
   * Words of the query, other than repaired ones, that no section shown has; of several wordings,
   * those of the one with the fewest.
   */
  missing: string[]
  /** Their share of the significant words. */
  missingShare: number
  /** How far the first hit is ahead: its score relative to that of the second; 1 if unknown. */
  lead: number
  sources: SearchedSource[]
  /** Languages of the pages, if none is in the requested one. */
  otherLanguages?: string[]
  /** If the query names no language and its script shows one. */
  queryLanguage?: QueryLanguage
  /** With `otherLanguages`: only pages in the site's default language were searched. */
  isDefaultLanguage?: boolean
  /** Values to filter by, under the names of the filters. */
  facets?: Record<string, string[]>
  /** Names of sources that were not searched because they lack the filters. */
  omitted?: string[]
}

const maxConcurrentReads = 4

function versioned<Hit extends { url: string }>(hit: Hit): Hit & { version?: string } {
  const version = URL.canParse(hit.url) ? versionInAddress(hit.url) : undefined
  return { ...hit, ...(version && { version }) }
}

/**
 * Update the indexes within the available time, and search them. Repeated once if an index was
 * damaged and rebuilt.
 */
export async function searchSources(
  opened: readonly SourceIndexer[],
  queries: readonly string[],
  options: SearchCall,
  read: (url: string) => Promise<Page>,
): Promise<SearchAnswer> {
  const answer = await searchOnce(opened, queries, options, read)
  const complete = answer.sources.filter(
    ({ isComplete, via, site }) => isComplete && via !== site?.name,
  )
  const names = new Set(complete.map(({ name }) => name))
  const listings = await Promise.all(
    opened
      .filter(({ source }) => names.has(source.name))
      .map(({ index }) => index.state('listing')),
  )
  return listings.includes(undefined) ? searchOnce(opened, queries, options, read) : answer
}

async function searchOnce(
  opened: readonly SourceIndexer[],
  queries: readonly string[],
  options: SearchCall,
  read: (url: string) => Promise<Page>,
): Promise<SearchAnswer> {
  const sites = await askSites(opened, queries, options)
  const { requested, outcomes, answered, isFiltered, omitted } = sites
  // The local index cannot filter, so it does not replace a failed site search.
  const indexed = isFiltered ? [] : requested.filter((_, at) => outcomes[at]?.hits === undefined)
  const local = await rankSources(indexed, queries, options)
  if (local.problem && answered.length === 0) throw local.problem
  if (isFiltered && answered.length === 0) throw unanswered(outcomes.find(Boolean))
  const siteHits = outcomes.map((outcome) => outcome?.hits ?? [])
  const pages = await readHits([indexHits(local), ...siteHits], queries, options, read)
  const reply = await showSections(
    pages.map(({ hit, matching }) => ({ title: hit.title, sections: matching })),
    queries,
    requestedTokens(options.maxTokens),
  )
  const ofSites = <Key extends keyof SiteOutcome>(key: Key) =>
    answered.find((site) => site[key])?.[key]
  const otherLanguages = local.otherLanguages ?? ofSites('otherLanguages')
  const queryLanguage = ofSites('queryLanguage') ?? local.queryLanguage
  const facets = ofSites('facets')
  return {
    queries: [...queries],
    hits: pages.map(({ hit }, at) => ({ ...versioned(hit), sections: reply.pages[at] ?? [] })),
    missingShare: reply.missingShare,
    missing: reply.missing.filter((word) => local.repairs.every((repair) => repair.word !== word)),
    matchingSections: local.matchingSections,
    matchingPages: answered.reduce((sum, site) => sum + (site.matching ?? 0), local.matchingPages),
    isAll: local.isAll && answered.every((site) => site.isAll),
    lead: answered.length > 0 || !reply.isFirstMet ? 1 : local.lead,
    repairs: local.repairs,
    misses: local.misses,
    ...(otherLanguages && { otherLanguages: [...otherLanguages] }),
    ...(queryLanguage && { queryLanguage }),
    ...(!local.otherLanguages && otherLanguages && { isDefaultLanguage: true }),
    ...(facets && { facets }),
    ...(omitted.length > 0 && { omitted }),
    sources: requested.flatMap((indexer, at) => {
      const outcome = outcomes[at]
      if (outcome?.hits) return [siteSource(indexer.source.name, outcome)]
      const searched = local.sources[indexed.indexOf(indexer)]
      if (!searched) return []
      return [outcome ? { ...searched, site: siteOf(outcome) } : searched]
    }),
  }
}

type RankedSources = Awaited<ReturnType<typeof rankSources>>

/** What the own searches of the sources answer; those that lack the filters are left out. */
async function askSites(
  opened: readonly SourceIndexer[],
  queries: readonly string[],
  { language, signal, maxResults, filters }: SearchCall,
) {
  const isFiltered = Object.keys(filters ?? {}).length > 0
  const { requested, omitted } = await narrowable(opened, isFiltered ? filters : undefined)
  const limits = { maxResults: requestedResults(maxResults), language, signal }
  const question = { ...limits, filters: isFiltered ? filters : undefined }
  const outcomes = await Promise.all(requested.map((it) => querySite(it, queries, question)))
  const answered = outcomes.flatMap((outcome) => (outcome?.hits ? [outcome] : []))
  return { requested, omitted, outcomes, answered, isFiltered }
}

/** The hits of the indexes that are not far below the best. */
const indexHits = ({ hits }: RankedSources): Pending[] =>
  hits
    .filter(({ score }) => score >= weakShare * (hits[0]?.score ?? 0))
    .map(({ item, index, matching, excerpt, ...hit }) => ({
      hit: { ...hit, excerpt: excerpt() },
      matching,
      isPageOnly: false,
      recommended: [],
      headings: () => index.headings(item.url),
    }))

/** Reads the pages of the best hits, as far as they are to be read. */
async function readHits(
  lists: readonly (readonly Pending[])[],
  queries: readonly string[],
  options: SearchCall,
  read: (url: string) => Promise<Page>,
) {
  const maxResults = requestedResults(options.maxResults)
  const { signal, includeHeadings = false, maxRead = maxResults } = options
  const limit = pLimit(maxConcurrentReads)
  const completing = { query: queries.join('\n'), includeHeadings, read, over: readingEnds(signal) }
  const pages = await Promise.all(
    merged(lists, maxResults).map((hit, at) =>
      limit(() => completed(hit, { ...completing, isRead: includeHeadings || at < maxRead })),
    ),
  )
  signal?.throwIfAborted()
  return pages
}

const unanswered = (failed: SiteOutcome | undefined): DocsError =>
  new DocsError(
    'unreachable',
    `${failed?.via ?? 'The search'} failed: ${failed?.problem ?? 'no request was sent.'}`,
    'Search without filters: a local index of the pages is then searched.',
  )

/** Leaves out the sources that lack the filters. @throws {DocsError} if all sources lack them. */
async function narrowable(
  opened: readonly SourceIndexer[],
  filters: SearchOptions['filters'],
): Promise<{ requested: readonly SourceIndexer[]; omitted: string[] }> {
  if (!filters) return { requested: opened, omitted: [] }
  const filterNames = await Promise.all(opened.map(filtersOf))
  const names = Object.keys(filters)
  const has = opened.map((_, at) => names.every((name) => filterNames[at]?.includes(name)))
  if (has.some(Boolean))
    return {
      requested: opened.filter((_, at) => has[at]),
      omitted: opened.filter((_, at) => !has[at]).map(({ source }) => source.name),
    }
  const all = [...new Set(filterNames.flat())]
  throw new DocsError(
    'bad_argument',
    `No source has the ${names.length === 1 ? 'filter' : 'filters'} ${names.map(quoteValue).join(' and ')}.`,
    all.length > 0 ? `Filters: ${all.join(', ')}.` : 'Search without filters.',
  )
}

/** A source whose own search answered; its pages are not counted. */
function siteSource(name: string, outcome: SiteOutcome): SearchedSource {
  return {
    name,
    via: outcome.via,
    isComplete: true,
    progress: { done: 0, total: 0, sections: 0, characters: 0 },
    more: false,
    forbidden: 0,
    pages: 0,
    unread: 0,
    sections: 0,
    failed: 0,
    leftOut: 0,
    unreadable: [],
    site: siteOf(outcome),
  }
}

const siteOf = ({ via, problem }: SiteOutcome): NonNullable<SearchedSource['site']> => ({
  name: via,
  ...(problem !== undefined && { problem }),
})

/**
 * Merge lists by rank, because their scores are not comparable: the first of each, then the second.
 */
function merged<T>(lists: readonly (readonly T[])[], most: number): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  const all: T[] = []
  for (let at = 0; at < longest && all.length < most; at++)
    for (const list of lists) {
      const item = list[at]
      if (item !== undefined) all.push(item)
    }
  return all.slice(0, most)
}
