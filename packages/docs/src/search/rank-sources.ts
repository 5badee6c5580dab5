import { type Meaning, termsOf } from '@pith-mcp/scorer'
import { timeLimit } from '#base/race-abort'
import type { IndexStatus } from '../indexer/source-index.ts'
import type { SourceIndexer } from '../indexer/source-indexer.ts'
import { viaLinks } from '../page-listing/follow-links.ts'
import type { CallOptions } from '../protocol/call-options.ts'
import { isRegionOf } from '../search-index/language.ts'
import type { Failure, IndexTotals } from '../search-index/search-index.ts'
import { languageOfQuery, type QueryLanguage } from './query-language.ts'
import { type IndexHits, rankIndex, requestedResults, type SearchOptions } from './rank-index.ts'
import type { SearchedIndex } from './repair-query.ts'
import type { MatchingSection } from './show-sections.ts'

interface FoundInIndexes extends Omit<IndexHits, 'unread'> {
  otherLanguages?: string[]
  queryLanguage?: QueryLanguage
  sources: SearchedSource[]
  /** Why there are no pages: no source could be listed. */
  problem?: Error
}

/** Milliseconds for which a question waits for its best pages to be read. */
const readMs = 2_000
/** The same for the first question, with the time for listing the source, and the least for reading. */
const firstReplyMs = 3_500
const minReadMs = 1_500
/** Times this, for the first pages that are read for a question. */
const patience = 3

/** Update the indexes within the available time, read the best pages, and search. */
export async function rankSources(
  opened: readonly SourceIndexer[],
  queries: readonly string[],
  options: SearchCall,
): Promise<FoundInIndexes> {
  if (opened.length === 0)
    return {
      hits: [],
      lead: 1,
      matchingPages: 0,
      matchingSections: 0,
      isAll: true,
      repairs: [],
      misses: [],
      sources: [],
    }
  const releases = opened.map((indexer) => indexer.hold())
  try {
    return await searchHeld(opened, queries, options)
  } finally {
    for (const release of releases) release()
  }
}

async function searchHeld(
  opened: readonly SourceIndexer[],
  queries: readonly string[],
  options: SearchCall,
): Promise<FoundInIndexes> {
  const { signal, onProgress, waitMs } = options
  const started = performance.now()
  await Promise.all(
    opened.map((indexer) =>
      indexer.refresh({ signal, onProgress, waitMs, query: queries.join(' ') }),
    ),
  )
  await readBest(opened, queries, options, started)
  signal?.throwIfAborted()
  const indexes = namedIndexes(opened)
  let language = options.language?.trim() || undefined
  const totals = await totalsOf(opened)
  const spoken = totals.flatMap(({ languages }) => [...languages.keys()])
  let otherLanguages: string[] | undefined
  if (language !== undefined && !spoken.some((tag) => isRegionOf(tag, language ?? ''))) {
    otherLanguages = [...new Set(spoken)]
    language = undefined
  }
  const statuses = opened.map((indexer) => indexer.status())
  const [problem] = statuses.map((status) => status.problem)
  const isNothing = totals.every(({ pages, proposed }) => pages + proposed === 0)
  const isFailed = isNothing && statuses.every((status) => status.problem)
  const requested = { ...options, language }
  const all = await searchUnread(indexes, queries, requested)
  const queryLanguage = options.language?.trim()
    ? undefined
    : languageOfQuery(queries.join(' '), spoken)
  const preferred = queryLanguage?.others.length ? queryLanguage.searched : undefined
  const answer = preferred
    ? firstOf(await rankIndex(indexes, queries, { ...requested, language: preferred }), all)
    : all
  const isUnread = totals.some(({ proposed }) => proposed > 0)
  return {
    ...answer,
    // A word that is missing so far may be in a page that is not read.
    ...((isNothing || (isUnread && answer.hits.length > 0 && answer.repairs.length === 0)) && {
      misses: [],
    }),
    ...(otherLanguages && { otherLanguages }),
    ...(queryLanguage && { queryLanguage }),
    ...(isFailed && problem && { problem }),
    sources: await Promise.all(
      opened.map(async ({ source, index }, at) => ({
        ...searchedSource(source.name, statuses[at] as IndexStatus, totals[at] as IndexTotals),
        unreadable: totals[at]?.failed
          ? unreadableFor(
              queries.join(' '),
              await index.failures(maxFailures),
              answer.hits.length > 0,
            )
          : [],
      })),
    ),
  }
}

/**
 * Search indexes with unread pages. A word that no page has may be in one of them: it is replaced
 * only if a section then has all words, or if nothing else is found.
 */
async function searchUnread(
  indexes: readonly SearchedIndex[],
  queries: readonly string[],
  options: Omit<SearchCall, 'waitMs'>,
): Promise<IndexHits> {
  const repaired = await rankIndex(indexes, queries, options)
  const totals = await Promise.all(indexes.map(({ index }) => index.totals()))
  const isUsed = repaired.repairs.some(({ used }) => used !== undefined)
  const isSure = isUsed && repaired.hits[0]?.item.hasAll
  if (repaired.misses.length === 0 || isSure || totals.every(({ proposed }) => proposed === 0))
    return repaired
  const literal = await rankIndex(indexes, queries, { ...options, repairs: false })
  return literal.hits.length > 0 ? { ...literal, misses: repaired.misses } : repaired
}

/**
 * Read the pages that rank best but were only listed, until the best are read or the time is over.
 * If no page read so far has all words, the first search of a source also reads on in listed order.
 */
async function readBest(
  opened: readonly SourceIndexer[],
  queries: readonly string[],
  options: SearchCall,
  started: number,
): Promise<void> {
  const { signal, waitMs } = options
  const totals = await totalsOf(opened)
  if (totals.every(({ proposed }) => proposed === 0)) return
  const isFirst = totals.some(({ pages, proposed }) => proposed > 0 && pages < fewPages)
  const remainingMs = firstReplyMs - (performance.now() - started)
  const limitMs = Math.min(waitMs, isFirst ? Math.max(minReadMs, remainingMs) : readMs)
  const endsAfter = (ms: number): AbortSignal => timeLimit(Math.ceil(ms), signal)
  const ends = endsAfter(limitMs)
  // On a busy machine the best pages take longer; they are read all the same.
  const first = endsAfter(Math.min(waitMs, limitMs * patience))
  if (!(await readRound(opened, queries, options, isFirst, first))) return
  while (!ends.aborted && (await readRound(opened, queries, options, isFirst, ends)));
}

/** Read the best unread pages; false if there is nothing more to read for the question. */
async function readRound(
  opened: readonly SourceIndexer[],
  queries: readonly string[],
  { maxResults, language }: SearchCall,
  isFirst: boolean,
  ends: AbortSignal,
): Promise<boolean> {
  const requested = requestedResults(maxResults)
  const answer = await searchUnread(namedIndexes(opened), queries, { maxResults, language })
  const isGood =
    answer.misses.length === 0 && answer.hits.some(({ item }) => item.hasAll && !item.isProposed)
  const reads = await Promise.all(
    opened.map((indexer) => {
      const urls = answer.unread.get(indexer.index) ?? []
      // Links are the only listing of such a site, so the pages are not all known yet.
      const isUnknown = indexer.status().via === viaLinks
      const isEnough = isGood && (!isUnknown || answer.hits.length >= requested)
      const isAhead = isFirst && !isEnough && (isUnknown || urls.length === 0)
      return (urls.length > 0 || isAhead) && indexer.queue.readNow(urls, isAhead, ends)
    }),
  )
  return reads.includes(true)
}

/** A source with fewer read pages is searched for the first time. */
const fewPages = 2
const namedIndexes = (opened: readonly SourceIndexer[]): SearchedIndex[] =>
  opened.map(({ source, index }) => ({ name: source.name, index }))

const totalsOf = (opened: readonly SourceIndexer[]): Promise<IndexTotals[]> =>
  Promise.all(opened.map(({ index }) => index.totals()))

/** The hits of pages in the language of the query, and then those of others. */
function firstOf(preferred: IndexHits, all: IndexHits): IndexHits {
  const urls = new Set(preferred.hits.map(({ item }) => item.url))
  const otherHits = all.hits
    .filter(({ item }) => !urls.has(item.url))
    .map((hit) => ({ ...hit, matching: hit.matching.map(behind) }))
  const most = Math.max(all.hits.length, preferred.hits.length)
  return { ...all, lead: 1, hits: [...preferred.hits, ...otherHits].slice(0, most) }
}

/** After all sections of another search. */
const behind = (section: MatchingSection): MatchingSection => ({
  ...section,
  place: section.place + 1_000,
})

export function searchedSource(
  name: string,
  { problem, ...status }: IndexStatus,
  { pages, proposed, sections, failed, leftOut }: IndexTotals,
): SearchedSource {
  return {
    name,
    ...status,
    pages,
    unread: proposed,
    sections,
    failed,
    leftOut,
    unreadable: [],
    ...(problem && { problem: problem.message }),
  }
}

/** Unreadable pages that are looked through, and named. */
const maxFailures = 200
const maxUnreadable = 3

/** The unreadable pages whose address has a word of the query; unless those are enough, also others. */
function unreadableFor(query: string, failures: readonly Failure[], isFound: boolean): Failure[] {
  const words = new Set(termsOf(query))
  const shares = ({ url }: Failure): number =>
    termsOf(url.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')).filter((term) => words.has(term)).length
  return failures
    .filter((failure) => !isFound || shares(failure) > 0)
    .sort((a, b) => shares(b) - shares(a))
    .slice(0, maxUnreadable)
}

/** How one source was searched, and the state of its index. */
export interface SearchedSource
  extends Omit<IndexStatus, 'problem'>,
    Pick<IndexTotals, 'pages' | 'sections' | 'failed' | 'leftOut'> {
  name: string
  /** The unreadable pages that a search may have needed, at most three. */
  unreadable: Failure[]
  /** Why listing the source failed. Pages indexed earlier are still searched. */
  problem?: string
  /** Pages that were listed but not read. */
  unread: number
  /** The search of the site, if it has one, and why it failed. */
  site?: { name: string; problem?: string }
}

export interface SearchCall extends SearchOptions, CallOptions {
  /** Milliseconds to wait for pages that are read for the first time. */
  waitMs: number
  byMeaning?: Meaning | undefined
}
