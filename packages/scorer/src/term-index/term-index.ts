import { defined } from '../defined.ts'
import { partTermsOf, termsOf } from '../terms/terms-of.ts'

/** A text field of the items, and how much a term in it counts. */
export interface Field<T> {
  /** As reasons name it: `heading`. */
  name: string
  text: (item: T) => string
  weight: number
  /** How much a long field is held against its terms: 0 not at all, 1 in full. Default 0.5. */
  lengthPenalty?: number
}

/** What is known of a collection that the items are only a part of. */
export interface Collection {
  /** Items of the collection. */
  size: number
  /** How many of them have a term; undefined to count those of the ranker itself. */
  itemsWith: (term: string) => number | undefined
}

/** Fewer removed items than this are not worth the work. */
const leastGone = 1000

/** Where a term is: items, ascending, and how often it is in each of their fields. */
export interface Posting {
  items: number[]
  /** Of every item in turn, a count per field. */
  counts: number[]
  /** Items that are still there. */
  live: number
}

/**
 * Terms of many items, forward and inverted. Items have numbers, in the order they were added; a
 * removed one keeps its number until so many are gone that all are numbered anew.
 */
export class TermIndex<T> {
  readonly fields: readonly Field<T>[]
  /** Changes with every change. */
  version = 0
  readonly names: string[] = []
  readonly postings: Posting[] = []
  readonly items: (T | undefined)[] = []
  /** Per item and field, the ids of its terms in order. */
  readonly sequences: Int32Array[][] = []
  /** Per item, the ids of the terms of its first field, of identifiers only their parts. */
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

  /** Items that are there. */
  get size(): number {
    return this.numbers.size
  }

  /** The number of a term; undefined if no item has or had it. */
  idOf(term: string): number | undefined {
    return this.ids.get(term)
  }

  /** Terms that begin with a character. */
  idsBeginning(character: string): readonly number[] {
    return this.byFirst.get(character) ?? []
  }

  /** Whatever reading the item throws, the index is as it was. */
  add(item: T): void {
    const texts = this.fields.map((field) => field.text(item))
    const read = texts.map(termsOf)
    const title = partTermsOf(texts[0] ?? '')
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

  /** False if the item was not there. */
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
    if (this.items.length > 2 * this.size + leastGone) this.renumber()
    return true
  }

  /** Forget removed items and the terms that only they had. */
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
   * What an occurrence counts, by item and field: the weight of the field, less in a field that is
   * longer than the average.
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

  /** How much finding a term says, by term: much for a rare one. */
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
