import { defined } from '../defined.ts'
import { partTermsOf, termsOf } from '../terms/terms-of.ts'

/** A text field of the items, and the weight of its terms. */
export interface Field<T> {
  /** Name in reasons: `heading`. */
  name: string
  /** A text, or its terms as `termsOf` returns them. */
  text: (item: T) => string | readonly string[]
  weight: number
  /** Penalty for long fields: 0 for none, 1 for the full one. Default 0.5. */
  lengthPenalty?: number
}

/** Statistics of a collection of which the items are a part. */
export interface Collection {
  /** Number of items in the collection. */
  size: number
  /** Number of items with a term; undefined to count those of the ranker. */
  itemsWith: (term: string) => number | undefined
}

/** Minimum number of removed items before a renumbering. */
const minGone = 1000

/** The items with a term, ascending, and its counts per field. */
export interface Posting {
  items: number[]
  /** For each item, a count per field. */
  counts: number[]
  /** Number of items that are not removed. */
  live: number
}

/**
 * Terms of many items, as a forward and an inverted index. Items are numbered in the order of
 * addition; a removed one keeps its number until the index is renumbered.
 */
export class TermIndex<T> {
  readonly fields: readonly Field<T>[]
  /** Increased by every change. */
  version = 0
  readonly names: string[] = []
  readonly postings: Posting[] = []
  readonly items: (T | undefined)[] = []
  /** Per item and field, the ids of its terms in order. */
  readonly sequences: Int32Array[][] = []
  /** Per item, the term ids of its first field; for identifiers only their parts. */
  readonly titles: Int32Array[] = []
  private readonly ids = new Map<string, number>()
  private readonly byFirst = new Map<string, number[]>()
  private readonly numbers = new Map<T, number>()
  private readonly totals: number[]
  private weights: Float64Array | undefined
  private rarities: Float64Array | undefined

  private readonly collection: Collection | undefined

  constructor(fields: readonly Field<T>[], collection?: Collection) {
    this.fields = fields
    this.collection = collection
    this.totals = fields.map(() => 0)
  }

  get size(): number {
    return this.numbers.size
  }

  /** The id of a term; undefined if no item has had it. */
  idOf(term: string): number | undefined {
    return this.ids.get(term)
  }

  idsBeginning(character: string): readonly number[] {
    return this.byFirst.get(character) ?? []
  }

  /** If reading the item throws, the index is unchanged. */
  add(item: T): void {
    const texts = this.fields.map((field) => field.text(item))
    const read = texts.map((text) => (typeof text === 'string' ? termsOf(text) : text))
    const [first = ''] = texts
    const title = typeof first === 'string' ? partTermsOf(first) : first
    const number = this.items.length
    this.items.push(item)
    this.numbers.set(item, number)
    this.version++
    this.weights = undefined
    this.rarities = undefined
    this.sequences.push(
      read.map((terms, at) => {
        const ids = Int32Array.from(terms, (term) => this.enter(term))
        this.totals[at] = (this.totals[at] ?? 0) + ids.length
        for (const id of ids) this.count(id, number, at)
        return ids
      }),
    )
    this.titles.push(Int32Array.from(title.flatMap((term) => this.ids.get(term) ?? [])))
  }

  /** Returns false if the item does not exist. */
  remove(item: T): boolean {
    const number = this.numbers.get(item)
    if (number === undefined) return false
    this.numbers.delete(item)
    this.items[number] = undefined
    this.weights = undefined
    this.rarities = undefined
    for (const [at, ids] of (this.sequences[number] ?? []).entries())
      this.totals[at] = (this.totals[at] ?? 0) - ids.length
    for (const id of new Set(this.sequences[number]?.flatMap((ids) => [...ids])))
      defined(this.postings[id]).live--
    this.sequences[number] = this.fields.map(() => new Int32Array())
    this.titles[number] = new Int32Array()
    this.version++
    if (this.items.length > 2 * this.size + minGone) this.renumber()
    return true
  }

  /** Drop removed items and the terms that only they contained. */
  private renumber(): void {
    const live = [...this.numbers.keys()]
    this.items.length = this.sequences.length = this.titles.length = 0
    this.names.length = this.postings.length = 0
    this.totals.fill(0)
    this.ids.clear()
    this.byFirst.clear()
    this.numbers.clear()
    for (const item of live) this.add(item)
  }

  /**
   * Weight of an occurrence by item and field: that of the field, reduced for a field longer than
   * the average.
   */
  weightOfOccurrences(): Float64Array {
    if (this.weights) return this.weights
    const width = this.fields.length
    const weights = new Float64Array(this.items.length * width)
    for (const [at, { weight, lengthPenalty = 0.5 }] of this.fields.entries()) {
      const average = (this.totals[at] ?? 0) / (this.size || 1) || 1
      for (let item = 0; item < this.items.length; item++) {
        const length = (this.sequences[item]?.[at]?.length ?? 0) / average
        weights[item * width + at] = weight / (1 - lengthPenalty + lengthPenalty * length)
      }
    }
    this.weights = weights
    return weights
  }

  /** Weight of each term: high for a rare one. */
  rarityOfTerms(): Float64Array {
    const { collection } = this
    const size = Math.max(this.size, collection?.size ?? 0)
    this.rarities ??= Float64Array.from(this.postings, ({ live }, id) => {
      const known = collection?.itemsWith(defined(this.names[id])) ?? 0
      const having = Math.min(size, Math.max(live, known))
      return Math.log(1 + (size - having + 0.5) / (having + 0.5))
    })
    return this.rarities
  }

  private enter(term: string): number {
    const known = this.ids.get(term)
    if (known !== undefined) return known
    const id = this.names.length
    this.ids.set(term, id)
    this.names.push(term)
    const first = term.slice(0, 1)
    const same = this.byFirst.get(first)
    if (same) same.push(id)
    else this.byFirst.set(first, [id])
    this.postings.push({ items: [], counts: [], live: 0 })
    return id
  }

  private count(id: number, item: number, at: number): void {
    const posting = defined(this.postings[id])
    const width = this.fields.length
    if (posting.items.at(-1) !== item) {
      posting.items.push(item)
      posting.live++
      for (let field = 0; field < width; field++) posting.counts.push(0)
    }
    const place = (posting.items.length - 1) * width + at
    posting.counts[place] = (posting.counts[place] ?? 0) + 1
  }
}
