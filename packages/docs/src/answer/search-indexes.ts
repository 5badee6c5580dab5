import { isRegionOf } from '../index/language.ts'
import type { IndexTotals } from '../index/search-index.ts'
import type { IndexStatus } from '../indexing/source-index.ts'
import type { OpenIndex } from '../indexing/source-indexes.ts'
import { type IndexHits, searchIn } from './search-in.ts'
import type { SearchCall, SearchedSource } from './search-sources.ts'

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
