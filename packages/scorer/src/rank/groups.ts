import { defined } from '../defined.ts'
import type { TermIndex } from '../term-index/term-index.ts'
import type { WordHits } from './word-hits.ts'

/** The share of a query that the items of each group contain together. */
export class Groups<T> {
  private readonly index: TermIndex<T>
  private readonly nameOf: (item: T) => string
  private version = -1
  private groupOf = new Int32Array()
  private totals = new Float64Array()
  private best = new Float64Array()
  private touched = new Int32Array()
  private most = 0

  constructor(index: TermIndex<T>, nameOf: (item: T) => string) {
    this.index = index
    this.nameOf = nameOf
  }

  begin(): void {
    if (this.version === this.index.version) this.totals.fill(0)
    else this.readGroups()
    this.most = 0
  }

  /** If several items of a group contain a word, the best one counts. */
  take({ items, values }: WordHits, weight: number): void {
    const { groupOf, best, totals, touched } = this
    let count = 0
    for (let at = 0; at < items.length; at++) {
      const group = defined(groupOf[defined(items[at])])
      const before = defined(best[group])
      if (before === 0) touched[count++] = group
      if (defined(values[at]) > before) best[group] = defined(values[at])
    }
    for (let at = 0; at < count; at++) {
      const group = defined(touched[at])
      const total = defined(totals[group]) + defined(best[group]) * weight
      totals[group] = total
      best[group] = 0
      if (total > this.most) this.most = total
    }
  }

  /** The score of the item's group relative to the best group; 0–1. */
  shareOf(item: number): number {
    return this.most > 0 ? defined(this.totals[defined(this.groupOf[item])]) / this.most : 0
  }

  private readGroups(): void {
    const numbers = new Map<string, number>()
    this.groupOf = Int32Array.from(this.index.items, (item) => {
      if (item === undefined) return 0
      const name = this.nameOf(item)
      const number = numbers.get(name) ?? numbers.size
      numbers.set(name, number)
      return number
    })
    const count = Math.max(1, numbers.size)
    this.totals = new Float64Array(count)
    this.best = new Float64Array(count)
    this.touched = new Int32Array(count)
    this.version = this.index.version
  }
}
