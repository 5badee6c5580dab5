import { defined } from '../defined.ts'
import type { Groups } from './groups.ts'
import type { Slot } from './slots.ts'
import type { Tuning } from './tuning.ts'
import type { WordHits, WordReader } from './word-hits.ts'

/** A word counts as covered at this value, which takes no repetition. */
const enough = 1.5

/** Number of buckets for selecting the best scores without sorting all. */
const stepsOfScore = 512

/** Scores of items for one query at a time; buffers are reused. */
export class Scores {
  top = 0
  private scores = new Float64Array()
  private covered = new Float64Array()
  /** Items with any of the terms: the first `count`. */
  private touched = new Int32Array()
  private count = 0
  private selection = new Int32Array()
  private readonly steps = new Uint32Array(stepsOfScore + 1)

  /** Reset for a new query; item numbers are below `size`. */
  begin(size: number): void {
    if (this.scores.length < size) {
      this.scores = new Float64Array(size)
      this.covered = new Float64Array(size)
      this.touched = new Int32Array(size)
      this.selection = new Int32Array(size)
    } else
      for (const item of this.items()) {
        this.scores[item] = 0
        this.covered[item] = 0
      }
    this.count = 0
    this.top = 0
  }

  /** Score items by their words, by the number of words, and by their group. */
  take<T>(
    slots: readonly Slot[],
    words: WordReader<T>,
    { queryCoverage, group }: Tuning,
    groups: Groups<T> | undefined,
  ): void {
    const { scores, covered } = this
    groups?.begin()
    let possible = 0
    for (const slot of slots) {
      const hits = words.hitsOf(slot)
      possible += hits.rarity * slot.weight
      this.add(hits, slot.weight)
      groups?.take(hits, slot.weight)
    }
    for (const item of this.items()) {
      const coverage = possible > 0 ? defined(covered[item]) / possible : 1
      const share = groups?.shareOf(item) ?? 0
      const score =
        defined(scores[item]) *
        (1 - queryCoverage + queryCoverage * coverage) *
        (1 + group * share * share)
      this.set(item, score)
    }
  }

  private add({ items, values, rarity }: WordHits, weight: number): void {
    const { scores, covered, touched } = this
    for (let at = 0; at < items.length; at++) {
      const item = defined(items[at])
      const value = defined(values[at])
      const before = defined(scores[item])
      if (before === 0) touched[this.count++] = item
      scores[item] = before + value * weight
      covered[item] = defined(covered[item]) + Math.min(rarity, value * enough) * weight
    }
  }

  of(item: number): number {
    return defined(this.scores[item])
  }

  set(item: number, score: number): void {
    if (this.scores[item] === 0) this.touched[this.count++] = item
    this.scores[item] = score
    if (score > this.top) this.top = score
  }

  /** All items with a score, unordered. */
  items(): Int32Array {
    return this.touched.subarray(0, this.count)
  }

  /** At least `count` of the best items, unordered, possibly a few more; all if there are fewer. */
  best(count: number, among?: (item: number) => boolean): Int32Array {
    const items = among ? this.items().filter(among) : this.items()
    if (items.length <= count || this.top === 0) return items
    const { scores, steps, selection } = this
    const scale = stepsOfScore / this.top
    steps.fill(0)
    for (let at = 0; at < items.length; at++) {
      const step = Math.trunc(defined(scores[defined(items[at])]) * scale)
      steps[step] = defined(steps[step]) + 1
    }
    let least = stepsOfScore
    for (let total = defined(steps[least]); total < count && least > 0; )
      total += defined(steps[--least])
    let length = 0
    for (let at = 0; at < items.length; at++) {
      const item = defined(items[at])
      if (Math.trunc(defined(scores[item]) * scale) >= least) selection[length++] = item
    }
    return selection.slice(0, length)
  }
}
