import type { IndexStatus } from '../indexer/source-index.ts'
import type { OpenIndex } from '../indexer/source-indexes.ts'
import type { IndexProgress } from '../protocol/call-options.ts'
import { isRegionOf } from '../search-index/language.ts'
import type { IndexTotals } from '../search-index/search-index.ts'
import { languageOfQuery, type QueryLanguage } from './query-language.ts'
import { type IndexHits, type SearchOptions, searchIn } from './search-index.ts'

interface FoundInIndexes extends IndexHits {
  otherLanguages?: string[]
  queryLanguage?: QueryLanguage
  sources: SearchedSource[]
  /** Why there are no pages: no source could be listed. */
  problem?: Error
}

/** Update the indexes within the available time, and search them. */
export async function searchIndexes(
  opened: readonly OpenIndex[],
  query: string,
  options: SearchCall,
): Promise<FoundInIndexes> {
  if (opened.length === 0)
    return { hits: [], matchingPages: 0, isAll: true, repairs: [], misses: [], sources: [] }
  const { signal, onProgress, waitMs } = options
  const statuses = await Promise.all(
    opened.map(({ refresh }) => refresh({ signal, onProgress, waitMs })),
  )
  const named = opened.map(({ source, index }) => ({ name: source.name, index }))
  let language = options.language?.trim() || undefined
  const totals = await Promise.all(opened.map(({ index }) => index.totals()))
  const spoken = totals.flatMap(({ languages }) => [...languages.keys()])
  let otherLanguages: string[] | undefined
  if (language !== undefined && !spoken.some((tag) => isRegionOf(tag, language ?? ''))) {
    otherLanguages = [...new Set(spoken)]
    language = undefined
  }
  const [problem] = statuses.map((status) => status.problem)
  const isNothing = totals.every(({ pages }) => pages === 0)
  const isFailed = isNothing && statuses.every((status) => status.problem)
  const { language: _, ...others } = options
  const queryLanguage = options.language?.trim() ? undefined : languageOfQuery(query, spoken)
  const preferred = queryLanguage?.others.length ? queryLanguage.searched : undefined
  const all = await searchIn(named, query, { ...others, ...(language && { language }) })
  const found = preferred
    ? firstOf(await searchIn(named, query, { ...others, language: preferred }), all)
    : all
  return {
    ...found,
    // Without any indexed page, every word would count as unknown.
    ...(isNothing && { misses: [] }),
    ...(otherLanguages && { otherLanguages }),
    ...(queryLanguage && { queryLanguage }),
    ...(isFailed && problem && { problem }),
    sources: opened.map(({ source }, at) =>
      searchedSource(source.name, statuses[at] as IndexStatus, totals[at] as IndexTotals),
    ),
  }
}

/** The hits of pages in the language of the query, and then those of others. */
function firstOf(preferred: IndexHits, all: IndexHits): IndexHits {
  const urls = new Set(preferred.hits.map(({ item }) => item.url))
  const others = all.hits.filter(({ item }) => !urls.has(item.url))
  const most = Math.max(all.hits.length, preferred.hits.length)
  return { ...all, hits: [...preferred.hits, ...others].slice(0, most) }
}

export function searchedSource(
  name: string,
  { problem, ...status }: IndexStatus,
  { pages, sections, failed }: IndexTotals,
): SearchedSource {
  return { name, ...status, pages, sections, failed, ...(problem && { problem: problem.message }) }
}

/** How one source was searched, and the state of its index. */
export interface SearchedSource extends Omit<IndexStatus, 'problem'> {
  name: string
  /** Why listing the source failed. Pages indexed earlier are still searched. */
  problem?: string
  pages: number
  sections: number
  /** Pages that could not be read. */
  failed: number
  /** The search of the site, if it has one, and why it failed. */
  site?: { name: string; problem?: string }
}

export interface SearchCall extends SearchOptions {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: IndexProgress) => void) | undefined
  /** Milliseconds to wait for pages that are read for the first time. */
  waitMs: number
}
