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

/** Where a term occurs. */
export interface Posting {
  /** Per occurrence, ascending: the number of the item times the number of fields, plus the field. */
  places: number[]
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
  /** Per item: where each of its sequences ends, then the ids of their terms in order. */
  private readonly texts: Int32Array[] = []
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

  /** The ids of an item's terms in one field, in order. */
  sequenceOf(item: number, at: number): Int32Array {
    const text = defined(this.texts[item])
    return text.subarray(startIn(text, at, this.fields.length), text[at])
  }

  /** The ids of its terms in all fields, field by field. */
  sequencesOf(item: number): Int32Array[] {
    return this.fields.map((_, at) => this.sequenceOf(item, at))
  }

  /** The ids of the terms of its first field; for identifiers only their parts. */
  titleOf(item: number): Int32Array {
    return this.sequenceOf(item, this.fields.length)
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
    const sequences = read.map((terms, at) => {
      this.totals[at] = (this.totals[at] ?? 0) + terms.length
      return terms.map((term) => this.enter(term, number * this.fields.length + at))
    })
    this.texts.push(joined([...sequences, title.flatMap((term) => this.ids.get(term) ?? [])]))
  }

  /** Returns false if the item does not exist. */
  remove(item: T): boolean {
    const number = this.numbers.get(item)
    if (number === undefined) return false
    this.numbers.delete(item)
    this.items[number] = undefined
    this.weights = undefined
    this.rarities = undefined
    const sequences = this.sequencesOf(number)
    for (const [at, ids] of sequences.entries())
      this.totals[at] = (this.totals[at] ?? 0) - ids.length
    for (const id of new Set(sequences.flatMap((ids) => [...ids])))
      defined(this.postings[id]).live--
    this.texts[number] = joined([...this.fields.map(() => []), []])
    this.version++
    if (this.items.length > 2 * this.size + minGone) this.renumber()
    return true
  }

  /** Drop removed items and the terms that only they contained. */
  private renumber(): void {
    const live = [...this.numbers.keys()]
    this.items.length = this.texts.length = 0
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
        const text = defined(this.texts[item])
        const length = (defined(text[at]) - startIn(text, at, width)) / average
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
      const collectionCount = collection?.itemsWith(defined(this.names[id])) ?? 0
      const having = Math.min(size, Math.max(live, collectionCount))
      return Math.log(1 + (size - having + 0.5) / (having + 0.5))
    })
    return this.rarities
  }

  /** Enters an occurrence of a term, after all of earlier places. */
  private enter(term: string, place: number): number {
    const id = this.ids.get(term)
    if (id === undefined) return this.create(term, place)
    const posting = defined(this.postings[id])
    const width = this.fields.length
    if (Math.floor(defined(posting.places.at(-1)) / width) !== Math.floor(place / width))
      posting.live++
    posting.places.push(place)
    return id
  }

  private create(term: string, place: number): number {
    const id = this.names.length
    this.ids.set(term, id)
    this.names.push(term)
    const first = term.slice(0, 1)
    const same = this.byFirst.get(first)
    if (same) same.push(id)
    else this.byFirst.set(first, [id])
    this.postings.push({ places: [place], live: 1 })
    return id
  }
}

/** Where a sequence begins in a text of {@link TermIndex}. */
const startIn = (text: Int32Array, at: number, width: number): number =>
  at === 0 ? width + 1 : defined(text[at - 1])

/** The ends of the sequences, then the sequences. */
function joined(sequences: readonly (readonly number[])[]): Int32Array {
  const size = sequences.reduce((sum, { length }) => sum + length, sequences.length)
  const text = new Int32Array(size)
  let end = sequences.length
  for (const [at, sequence] of sequences.entries()) {
    text.set(sequence, end)
    text[at] = end += sequence.length
  }
  return text
}
