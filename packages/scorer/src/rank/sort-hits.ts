import { defined } from '../defined.ts'
import type { TermIndex } from '../term-index/term-index.ts'
import type { Scores } from './scores.ts'
import type { Slot } from './slots.ts'

/** An item by its number, and its score. */
interface Hit<T> {
  number: number
  item: T
  score: number
}

/** Hits, the best first; those after the first `exact` match only similar words. */
export interface SortedHits<T> {
  hits: Hit<T>[]
  exact: number
}

/** At least the best `count` of the items with a score, or all of them if there are fewer. */
export function sortHits<T>(
  index: TermIndex<T>,
  slots: readonly Slot[],
  scores: Scores,
  count: number,
): SortedHits<T> {
  const isExact = exactItems(index, slots)
  const best = scores.best(count, isExact)
  const numbers = best.length < count ? scores.items() : best
  const hits = Array.from(numbers, (number) => ({
    number,
    item: defined(index.items[number]),
    score: scores.of(number),
    exact: isExact?.(number) === false ? 0 : 1,
  })).sort((a, b) => b.exact - a.exact || b.score - a.score || a.number - b.number)
  const guessed = hits.findIndex(({ exact }) => exact === 0)
  const exact = guessed < 0 ? hits.length : guessed
  lowerGuesses(hits, exact)
  return { hits, exact }
}

/** Scores of guessed hits, after the first `exact`, are lowered below those before them. */
function lowerGuesses(hits: { score: number }[], exact: number): void {
  const last = hits[exact - 1]
  const first = hits[exact]
  if (!last || !first || first.score <= last.score) return
  const factor = (last.score / first.score) * 0.99
  for (const hit of hits.slice(exact)) hit.score *= factor
}

/** Items that match words of the query exactly, not only similar words; undefined for all. */
function exactItems<T>(
  index: TermIndex<T>,
  slots: readonly Slot[],
): ((item: number) => boolean) | undefined {
  const exact = slots.filter(({ isGuess }) => !isGuess)
  if (
    exact.length === 0 ||
    slots.every(({ isGuess, alternatives }) => !isGuess || alternatives.length === 0)
  )
    return undefined
  const flags = new Uint8Array(index.items.length)
  for (const { alternatives } of exact)
    for (const { id } of alternatives)
      for (const place of index.postings[id]?.places ?? [])
        flags[Math.floor(place / index.fields.length)] = 1
  return (item) => flags[item] === 1
}
