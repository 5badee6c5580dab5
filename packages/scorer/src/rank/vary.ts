import { defined } from '../defined.ts'
import type { Slot } from './slots.ts'
import { valueAt, type WordReader } from './word-hits.ts'

interface Hit {
  number: number
  score: number
}

/** A word counts as answered at this value. */
const enough = 1.5

/**
 * Reorder the first `count` hits, so that one that matches other words of the query precedes one
 * that matches the same words as those before it. `variety` is from the tuning. Scores remain
 * descending.
 */
export function vary<T>(
  hits: Hit[],
  count: number,
  slots: readonly Slot[],
  words: WordReader<T>,
  variety: number,
): void {
  const queryWords = slots.map((slot) => ({ ...words.hitsOf(slot), weight: slot.weight }))
  /** By word: the share that no hit has answered yet. */
  const open = new Float64Array(slots.length).fill(1)
  const rest = hits.slice(0, count).map((hit) => ({
    hit,
    gives: queryWords.map((word) => valueAt(word, hit.number) * word.weight),
  }))
  const worth = ({ hit, gives }: (typeof rest)[number]): number => {
    let all = 0
    let fresh = 0
    for (let at = 0; at < gives.length; at++) {
      all += defined(gives[at])
      fresh += defined(gives[at]) * defined(open[at])
    }
    return all > 0 ? hit.score * (1 - variety + (variety * fresh) / all) : hit.score
  }
  let last = Number.POSITIVE_INFINITY
  for (let place = 0; rest.length > 0; place++) {
    const values = rest.map(worth)
    const value = Math.max(...values)
    const [next] = rest.splice(values.indexOf(value), 1)
    if (!next) break
    last = next.hit.score = Math.min(last, value)
    hits[place] = next.hit
    for (const [at, { rarity, weight }] of queryWords.entries()) {
      const answered = (defined(next.gives[at]) * enough) / (rarity * weight || 1)
      open[at] = Math.min(defined(open[at]), Math.max(0, 1 - answered))
    }
  }
  for (const hit of hits.slice(count)) hit.score = Math.min(last, hit.score)
}
