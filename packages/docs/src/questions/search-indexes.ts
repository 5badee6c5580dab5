import type { IndexProgress } from '../common/call-options.ts'
import type { IndexStatus } from '../indexer/source-index.ts'
import type { OpenIndex } from '../indexer/source-indexes.ts'
import { isRegionOf } from '../search-index/language.ts'
import type { IndexTotals } from '../search-index/search-index.ts'
import { type IndexHits, type SearchOptions, searchIn } from './search-in.ts'

interface FoundInIndexes extends IndexHits {
  otherLanguages?: string[]
  sources: SearchedSource[]
  /** Why there is nothing: no source could be listed. */
  problem?: Error
}

/** Bring the indexes up to date, within the time there is, and search them. */
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
  const found = await searchIn(named, query, {
    ...others,
    ...(language !== undefined && { language }),
  })
  return {
    ...found,
    // Of pages that nobody has read, nobody knows the words.
    ...(isNothing && { misses: [] }),
    ...(otherLanguages && { otherLanguages }),
    ...(isFailed && problem && { problem }),
    sources: opened.map(({ source }, at) =>
      searchedSource(source.name, statuses[at] as IndexStatus, totals[at] as IndexTotals),
    ),
  }
}

export function searchedSource(
  name: string,
  { problem, ...status }: IndexStatus,
  { pages, sections, failed }: IndexTotals,
): SearchedSource {
  return { name, ...status, pages, sections, failed, ...(problem && { problem: problem.message }) }
}

export interface SearchedSource extends Omit<IndexStatus, 'problem'> {
  name: string
  /** Why the source could not be listed; what was read of it before is searched all the same. */
  problem?: string
  pages: number
  sections: number
  /** Pages that could not be read. */
  failed: number
  /** The search of the site itself, if it has one, and why it could not be asked as it should be. */
  site?: { name: string; problem?: string }
}

export interface SearchCall extends SearchOptions {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: IndexProgress) => void) | undefined
  /** How long to wait for pages that are being read for the first time. */
  waitMs: number
}
