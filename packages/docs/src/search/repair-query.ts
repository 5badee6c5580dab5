import { editDistance, readQuery, termsOf } from '@pith-mcp/scorer'
import type { SearchIndex } from '../search-index/search-index.ts'

/** A word of the query that no page has, and what was searched instead. */
export interface Repair {
  word: string
  /** Another word, or `word…` for those that begin with it; absent if the word was left out. */
  used?: string
}

export interface RepairedQuery {
  /** The corrected query. */
  text: string
  repairs: Repair[]
  /** Words that no page has, each with similar words. */
  misses: { word: string; nearest: string[] }[]
  /** By unknown term of the query: the terms that begin with its word. */
  beginnings: ReadonlyMap<string, readonly string[]>
}

/** At most this many unknown words are looked up; text with more is not a query. */
const maxLookedUp = 6
const names = /[\p{L}\p{M}\p{N}]+(?:[_.:\-/]{1,2}[\p{L}\p{M}\p{N}]+)*/gu
const words = /[\p{L}\p{M}\p{N}]{3,24}/gu

/**
 * Replace words that no page has by all that begin with them, or else by the word that was probably
 * meant. A name whose parts occur is not replaced.
 */
export async function repairQuery(
  indexes: readonly SearchedIndex[],
  query: string,
): Promise<RepairedQuery> {
  const repairs: Repair[] = []
  const misses: RepairedQuery['misses'] = []
  const beginnings = new Map<string, readonly string[]>()
  let text = query
  for (const name of significantNames(query)) {
    const parts = [...new Set(name.match(words))]
    const isCompound = parts[0] !== name
    if (isCompound && ((await isKnown(indexes, name)) || (await isBeginning(name)))) continue
    for (const word of parts) {
      if (misses.length >= maxLookedUp) break
      if (!(await isKnown(indexes, word)) && !(await isBeginning(word))) await correct(word)
    }
  }
  return { text, repairs, misses, beginnings }

  async function isBeginning(word: string): Promise<boolean> {
    const begun = await termsBeginning(indexes, word)
    if (begun.length === 0) return false
    beginnings.set(termsOf(word)[0] ?? '', begun)
    repairs.push({ word, used: `${word}…` })
    misses.push({ word, nearest: [] })
    return true
  }

  async function correct(word: string): Promise<void> {
    const nearest = await nearestOf(indexes, word)
    misses.push({ word, nearest: nearest.slice(0, 3) })
    const [used] = nearest
    if (used === undefined) return
    repairs.push({ word, used })
    text = withWord(text, word, used)
  }
}

/** The query without its corrected words: no section has all of its words as corrected. */
export function withoutCorrections(query: string, repaired: RepairedQuery): RepairedQuery {
  const isCorrection = ({ used = '' }: Repair): boolean => !used.endsWith('…')
  const repairs = repaired.repairs.map((repair) =>
    isCorrection(repair) ? { word: repair.word } : repair,
  )
  const corrections = repaired.repairs.filter(isCorrection)
  return {
    ...repaired,
    repairs,
    text: corrections.reduce((text, { word }) => withWord(text, word, ''), query),
  }
}

/** `word` consists of letters and digits. */
const withWord = (text: string, word: string, used: string): string =>
  text.replace(new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])${word}(?![\\p{L}\\p{M}\\p{N}])`, 'gu'), used)

/** Each name of the query with a significant term, once. */
function significantNames(query: string): string[] {
  const telling = new Set(
    readQuery(query)
      .terms.filter(({ weight }) => weight > 0)
      .map(({ term }) => term),
  )
  const all = new Set([...query.matchAll(names)].map(([name]) => name))
  return [...all].filter((name) => termsOf(name).some((term) => telling.has(term)))
}

/** In characters. */
const minBeginning = 3
/** Terms that begin with a word: as many are read, and as many of the commonest are searched. */
const maxRead = 200
const maxBeginnings = 10

/** The commonest terms that begin with a word. */
async function termsBeginning(indexes: readonly SearchedIndex[], word: string): Promise<string[]> {
  const text = word.toLowerCase().replace(/[_.:\-/]+/g, '')
  if (text.length < minBeginning) return []
  const items = new Map<string, number>()
  for (const { index } of indexes) {
    const terms = await index.termsBeginning(text, maxRead)
    const counts = await index.itemsWith(terms)
    for (const [at, term] of terms.entries())
      items.set(term, (items.get(term) ?? 0) + (counts[at] ?? 0))
  }
  return [...items]
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxBeginnings)
    .map(([term]) => term)
}

async function isKnown(indexes: readonly SearchedIndex[], word: string): Promise<boolean> {
  const [name = '', ...parts] = termsOf(word)
  for (const { index } of indexes) {
    const [nameCount = 0, ...counts] = await index.itemsWith([name, ...parts])
    // A name composed of known words is not a typing error.
    if (nameCount > 0 || (counts.length > 0 && counts.every((count) => count > 0))) return true
  }
  return false
}

/** Nearest first; at equal distance, the word of more sections. */
async function nearestOf(indexes: readonly SearchedIndex[], word: string): Promise<string[]> {
  const candidates = new Map<string, { rank: number; items: number }>()
  for (const { index } of indexes) {
    const words = await index.wordsLike(word)
    const counts = await index.itemsWith(words.map((candidate) => termsOf(candidate)[0] ?? ''))
    for (const [at, candidate] of words.entries()) {
      const items = (candidates.get(candidate)?.items ?? 0) + (counts[at] ?? 0)
      if (items > 0) candidates.set(candidate, { rank: distanceRank(word, candidate), items })
    }
  }
  return [...candidates]
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
