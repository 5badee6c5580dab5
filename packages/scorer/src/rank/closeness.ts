import { defined } from '../defined.ts'
import type { TermIndex } from '../term-index/term-index.ts'
import type { Asking } from '../terms/read-query.ts'
import { isUnspaced } from '../terms/terms-of.ts'
import type { Slot } from './slots.ts'

/** Terms of a field that count as close together. */
const windowLength = 60

/** Rescores items by their titles, and by terms that are adjacent or close together. */
export class Closeness<T> {
  private readonly index: TermIndex<T>
  private readonly asking: Asking
  /** By term: its weight in the query. */
  private weights = new Float32Array()
  /** By term: 1 if it has a right neighbour in the query or in a quoted phrase. */
  private firsts = new Uint8Array()
  /** By term: the place of its word in the query, from 1. */
  private places = new Uint8Array()
  /** By place in the query, from 1: the rarity of the word times its weight. */
  private rarities: number[] = []
  /** Terms with an entry in `weights`, `firsts` or `places`. */
  private used: number[] = []
  private pairs: { first: number; second: number }[] = []

  constructor(index: TermIndex<T>, asking: Asking) {
    this.index = index
    this.asking = asking
  }

  /** `rarities` has the rarity of each slot, times its weight. */
  begin(
    slots: readonly Slot[],
    phrases: readonly (readonly string[])[],
    rarities: readonly number[],
  ): void {
    this.forget()
    this.rarities = [0, ...rarities]
    for (const [at, { alternatives }] of slots.entries())
      for (const { id, weight } of alternatives) {
        this.weights[id] = Math.max(weight, defined(this.weights[id]))
        if (this.places[id] === 0) this.places[id] = at + 1
        this.used.push(id)
      }
    this.pair(slots.map(({ alternatives }) => alternatives[0]?.id))
    for (const phrase of phrases) this.pair(phrase.map((term) => this.index.idOf(term)))
  }

  private forget(): void {
    const size = this.index.names.length
    if (this.weights.length < size) {
      this.weights = new Float32Array(size)
      this.firsts = new Uint8Array(size)
      this.places = new Uint8Array(size)
    } else for (const id of this.used) this.weights[id] = this.firsts[id] = this.places[id] = 0
    this.used = []
    this.pairs = []
  }

  private pair(ids: readonly (number | undefined)[]): void {
    for (const [at, first] of ids.entries()) {
      const second = ids[at + 1]
      if (first === undefined || second === undefined || this.overlap(first, second)) continue
      if (this.pairs.some((pair) => pair.first === first && pair.second === second)) continue
      this.pairs.push({ first, second })
      this.firsts[first] = 1
      this.used.push(first)
    }
  }

  /** Of a request, pairs of characters that share one are a longer word, not a phrase. */
  private overlap(...ids: readonly number[]): boolean {
    return this.asking === 'request' && ids.every((id) => isUnspaced(defined(this.index.names[id])))
  }

  /**
   * The share (0–1) of an item's title that the query contains, and the rarity of that share; rare
   * words weigh more.
   */
  titleOf(item: number): { coverage: number; matched: number } {
    const title = this.index.titleOf(item)
    const rarities = this.index.rarityOfTerms()
    let matched = 0
    let all = 0
    for (let at = 0; at < title.length; at++) {
      const id = defined(title[at])
      const rarity = defined(rarities[id])
      all += rarity
      matched += rarity * defined(this.weights[id])
    }
    return { coverage: all > 0 ? matched / all : 0, matched }
  }

  /** The most that the query's words in one window of a field weigh together. */
  proximityOf(item: number): number {
    let best = 0
    for (const sequence of this.index.sequencesOf(item))
      best = Math.max(best, this.bestWindow(sequence))
    return best
  }

  private bestWindow(sequence: Int32Array): number {
    const { places, rarities } = this
    const counts = new Uint16Array(rarities.length)
    let best = 0
    let sum = 0
    for (let at = 0, from = 0; at < sequence.length; at++) {
      const place = defined(places[defined(sequence[at])])
      if (place === 0) continue
      for (; at - from > windowLength; from++) {
        const gone = defined(places[defined(sequence[from])])
        if (gone === 0) continue
        counts[gone] = defined(counts[gone]) - 1
        if (counts[gone] === 0) sum -= defined(rarities[gone])
      }
      if (counts[place] === 0) sum += defined(rarities[place])
      counts[place] = defined(counts[place]) + 1
      if (sum > best) best = sum
    }
    return best
  }

  /** The share (0–1) of adjacent query terms that are adjacent in a field of the item. */
  adjacencyOf(item: number): number {
    const { pairs, firsts } = this
    if (pairs.length === 0) return 0
    const matchedPairs = new Uint8Array(pairs.length)
    let count = 0
    for (const sequence of this.index.sequencesOf(item))
      for (let at = 0; at + 1 < sequence.length; at++) {
        const id = defined(sequence[at])
        if (firsts[id] !== 1) continue
        const next = sequence[at + 1]
        for (let place = 0; place < pairs.length; place++) {
          const pair = pairs[place]
          if (matchedPairs[place] === 1 || pair?.first !== id || pair.second !== next) continue
          matchedPairs[place] = 1
          count++
        }
      }
    return count / pairs.length
  }
}
