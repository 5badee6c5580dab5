import { defined } from '../defined.ts'
import type { TermIndex } from '../term-index/term-index.ts'
import type { Slot } from './slots.ts'

/** Values of a query word for the items that contain it or a synonym. */
export interface WordHits {
  /** Ascending. */
  items: Int32Array
  /** By position in `items`, each below `rarity`. */
  values: Float64Array
  rarity: number
}

/** Number of cached items of all words; 12 bytes each. */
const maxCached = 500_000

/**
 * Reads the hits of words. Words recur in queries and their parts, with the same synonyms, so hits
 * are cached until the index changes.
 */
export class WordReader<T> {
  private readonly index: TermIndex<T>
  private readonly saturation: number
  private readonly cachedHits = new Map<string, WordHits>()
  private cachedItems = 0
  private version = -1
  private best = new Float64Array()
  /** By item: 1 if it counts. Undefined if all do. */
  private mask: Uint8Array | undefined

  /** `saturation` is from the tuning. */
  constructor(index: TermIndex<T>, saturation: number) {
    this.index = index
    this.saturation = saturation
  }

  /** Leaves out all other items, until it is called again. */
  restrict(among: ((item: T) => boolean) | undefined): void {
    this.mask =
      among &&
      Uint8Array.from(this.index.items, (item) => (item !== undefined && among(item) ? 1 : 0))
  }

  hitsOf(slot: Slot): WordHits {
    const hits = this.cachedHitsOf(slot)
    const { mask } = this
    if (mask === undefined) return hits
    const isIn = (_: number, at: number): boolean => mask[defined(hits.items[at])] === 1
    return { ...hits, items: hits.items.filter(isIn), values: hits.values.filter(isIn) }
  }

  private cachedHitsOf(slot: Slot): WordHits {
    if (this.index.version !== this.version || this.cachedItems > maxCached) this.forget()
    const before = slot.isGuess ? undefined : this.cachedHits.get(slot.key)
    if (before) return before
    const hits = this.read(slot)
    if (!slot.isGuess) {
      this.cachedHits.set(slot.key, hits)
      this.cachedItems += hits.items.length
    }
    return hits
  }

  private forget(): void {
    this.cachedHits.clear()
    this.cachedItems = 0
    this.version = this.index.version
    if (this.best.length < this.index.items.length)
      this.best = new Float64Array(this.index.items.length)
  }

  /** BM25F; of a word and its alternatives, the best counts, not the sum. */
  private read({ alternatives }: Slot): WordHits {
    const { best } = this
    const rarities = this.index.rarityOfTerms()
    const [first] = alternatives
    const most = first ? defined(rarities[first.id]) : 0
    const matches: number[] = []
    // A rare alternative weighs no more than the word itself.
    for (const { id, weight } of alternatives)
      this.take(id, Math.min(defined(rarities[id]), most) * weight, matches)
    const items = Int32Array.from(matches)
    if (alternatives.length > 1) items.sort()
    const values = Float64Array.from(items, (item) => defined(best[item]))
    for (const item of items) best[item] = 0
    return { items, values, rarity: first ? most * first.weight : 0 }
  }

  private take(id: number, full: number, matches: number[]): void {
    const { index, saturation, best } = this
    const width = index.fields.length
    const weights = index.weightOfOccurrences()
    const places = index.postings[id]?.places ?? []
    for (let at = 0; at < places.length; ) {
      const item = Math.floor(defined(places[at]) / width)
      let frequency = 0
      for (; at < places.length && defined(places[at]) < (item + 1) * width; at++)
        frequency += defined(weights[defined(places[at])])
      if (index.items[item] === undefined) continue
      const value = (full * frequency) / (saturation + frequency)
      if (value <= defined(best[item])) continue
      if (best[item] === 0) matches.push(item)
      best[item] = value
    }
  }
}

export function valueAt({ items, values }: WordHits, item: number): number {
  let low = 0
  let high = items.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const probe = defined(items[middle])
    if (probe === item) return defined(values[middle])
    if (probe < item) low = middle + 1
    else high = middle - 1
  }
  return 0
}
