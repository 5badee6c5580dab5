import { editDistance, readQuery, termsOf } from '@pith-mcp/scorer'
import type { SearchIndex } from '../search-index/search-index.ts'

/** A word of the query that no page has, and the word that was searched instead. */
export interface Repair {
  word: string
  used: string
}

export interface RepairedQuery {
  /** The corrected query. */
  text: string
  repairs: Repair[]
  /** Words that no page has, each with similar words. */
  misses: { word: string; nearest: string[] }[]
}

/** At most this many unknown words are looked up; text with more is not a query. */
const maxLookedUp = 6
const words = /[\p{L}\p{M}\p{N}]{3,24}/gu

/** Replace words that no page has by the words that were probably meant. */
export async function repairQuery(
  indexes: readonly SearchedIndex[],
  query: string,
): Promise<RepairedQuery> {
  const telling = new Set(
    readQuery(query)
      .terms.filter(({ weight }) => weight > 0)
      .map(({ term }) => term),
  )
  const significant = [...new Set([...query.matchAll(words)].map(([word]) => word))].filter(
    (word) => termsOf(word).some((term) => telling.has(term)),
  )
  const repairs: Repair[] = []
  const misses: RepairedQuery['misses'] = []
  let text = query
  for (const word of significant) {
    if (misses.length >= maxLookedUp || (await isKnown(indexes, word))) continue
    const nearest = await nearestOf(indexes, word)
    misses.push({ word, nearest: nearest.slice(0, 3) })
    const [used] = nearest
    if (used === undefined) continue
    repairs.push({ word, used })
    text = text.replaceAll(word, used)
  }
  return { text, repairs, misses }
}

async function isKnown(indexes: readonly SearchedIndex[], word: string): Promise<boolean> {
  const [whole = '', ...parts] = termsOf(word)
  for (const { index } of indexes) {
    const [wholes = 0, ...counts] = await index.itemsWith([whole, ...parts])
    // A name composed of known words is not a typing error.
    if (wholes > 0 || (counts.length > 0 && counts.every((count) => count > 0))) return true
  }
  return false
}

/** Nearest first; at equal distance, the word of more sections. */
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

/** Edit distance, with a penalty for another first letter, which typing errors rarely change. */
function distanceRank(word: string, candidate: string): number {
  const lower = word.toLowerCase()
  return 2 * editDistance(lower, candidate, 2) + (lower[0] === candidate[0] ? 0 : 1)
}

export interface SearchedIndex {
  /** Name of the source. */
  name: string
  index: SearchIndex
}
