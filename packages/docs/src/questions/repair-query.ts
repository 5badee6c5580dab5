import { editDistance, readQuery, termsOf } from '@pith-mcp/scorer'
import type { SearchIndex } from '../search-index/search-index.ts'

/** A word of the query that no page has, and the one that was searched instead. */
export interface Repair {
  word: string
  used: string
}

export interface RepairedQuery {
  /** The query as it is searched, the likeliest reading first. */
  texts: string[]
  /** Of the likeliest reading. */
  repairs: Repair[]
  misses: { word: string; nearest: string[] }[]
}

/** Readings of a query that are searched. */
const mostReadings = 3
/** Unknown words past this many are not looked up: it is no question then. */
const mostLookedUp = 6
const words = /[\p{L}\p{M}\p{N}]{3,24}/gu

/** The query with the words that no page has replaced by those they were probably meant for. */
export async function repairQuery(
  indexes: readonly SearchedIndex[],
  query: string,
): Promise<RepairedQuery> {
  const telling = new Set(
    readQuery(query)
      .terms.filter(({ weight }) => weight > 0)
      .map(({ term }) => term),
  )
  const asked = [...new Set([...query.matchAll(words)].map(([word]) => word))].filter((word) =>
    termsOf(word).some((term) => telling.has(term)),
  )
  const repairs: Repair[] = []
  const misses: RepairedQuery['misses'] = []
  let texts = [query]
  for (const word of asked) {
    if (misses.length >= mostLookedUp || (await isKnown(indexes, word))) continue
    const nearest = await nearestOf(indexes, word)
    misses.push({ word, nearest: nearest.slice(0, 3) })
    const [used] = nearest
    if (used === undefined) continue
    repairs.push({ word, used })
    // Of several slips, only for one other readings are tried.
    const readings = texts.length === 1 ? nearest.slice(0, mostReadings) : [used]
    texts = texts.flatMap((text) => readings.map((reading) => text.replaceAll(word, reading)))
  }
  return { texts, repairs, misses }
}

async function isKnown(indexes: readonly SearchedIndex[], word: string): Promise<boolean> {
  const [whole = '', ...parts] = termsOf(word)
  for (const { index } of indexes) {
    const [wholes = 0, ...counts] = await index.itemsWith([whole, ...parts])
    // A name that is joined of known words is no slip.
    if (wholes > 0 || (counts.length > 0 && counts.every((count) => count > 0))) return true
  }
  return false
}

/** Nearest first; of those equally near, the one that more sections have. */
async function nearestOf(indexes: readonly SearchedIndex[], word: string): Promise<string[]> {
  const found = new Map<string, { rank: number; items: number }>()
  for (const { index } of indexes) {
    const near = await index.wordsLike(word)
    const counts = await index.itemsWith(near.map((candidate) => termsOf(candidate)[0] ?? ''))
    for (const [at, candidate] of near.entries()) {
      const items = (found.get(candidate)?.items ?? 0) + (counts[at] ?? 0)
      if (items > 0) found.set(candidate, { rank: distanceRank(word, candidate), items })
    }
  }
  return [...found]
    .sort(([, a], [, b]) => a.rank - b.rank || b.items - a.items)
    .map(([candidate]) => candidate)
}

/** How far a word is from one it may have been meant for; a slip rarely changes the first letter. */
function distanceRank(word: string, candidate: string): number {
  const lower = word.toLowerCase()
  return 2 * editDistance(lower, candidate, 2) + (lower[0] === candidate[0] ? 0 : 1)
}

export interface SearchedIndex {
  /** Of the source. */
  name: string
  index: SearchIndex
}
