import type { TermIndex } from '../term-index/term-index.ts'
import { partsOf } from '../terms/parts-of.ts'
import type { Asking } from '../terms/read-query.ts'
import { Closeness } from './closeness.ts'
import { Groups } from './groups.ts'
import { Scores } from './scores.ts'
import type { Slot } from './slots.ts'
import type { Tuning } from './tuning.ts'
import { WordReader } from './word-hits.ts'

/** Number of hits that are rescored by their titles and adjacent terms. */
const maxLookedAt = 150
/** The same, for a part of the request. */
const maxPerPart = 50
/** Weight of the lower of two scores, for the whole request and for a part. */
const both = 0.5
/**
 * How much the best hit of a part is adjusted to the best of all; a part with few matching words
 * counts less.
 */
const evenness = 0.8

/** A query, its words with their alternatives, and its quoted phrases. */
export interface SlottedQuery<T> {
  query: string
  slots: readonly Slot[]
  phrases: readonly (readonly string[])[]
  among: ((item: T) => boolean) | undefined
}

/** Scores the items of an index for one query at a time; buffers are reused. */
export class QueryScorer<T> {
  readonly words: WordReader<T>
  readonly #index: TermIndex<T>
  readonly #tuning: Tuning
  readonly #groups: Groups<T> | undefined
  readonly #closeness: Closeness<T>
  readonly #ofWhole = new Scores()
  readonly #ofPart = new Scores()

  constructor(
    index: TermIndex<T>,
    tuning: Tuning,
    group: ((item: T) => string) | undefined,
    asking: Asking,
  ) {
    this.#index = index
    this.#tuning = tuning
    this.words = new WordReader(index, tuning.saturation)
    this.#closeness = new Closeness(index, asking)
    this.#groups = group && tuning.group > 0 ? new Groups(index, group) : undefined
  }

  /** Scores of all items with a word of the query, valid until the next call. */
  score({ query, slots, phrases, among }: SlottedQuery<T>): Scores {
    this.words.restrict(among)
    this.#scoreWords(this.#ofWhole, slots, phrases, maxLookedAt)
    if (this.#tuning.part > 0) this.#scoreParts(query, slots)
    return this.#ofWhole
  }

  #scoreWords(
    into: Scores,
    slots: readonly Slot[],
    phrases: readonly (readonly string[])[],
    lookedAt: number,
  ): void {
    const { titleCoverage, title, adjacency, proximity } = this.#tuning
    const closeness = this.#closeness
    into.begin(this.#index.items.length)
    into.take(slots, this.words, this.#tuning, this.#groups)
    const rarities = slots.map((slot) => this.words.hitsOf(slot).rarity * slot.weight)
    const possible = rarities.reduce((sum, rarity) => sum + rarity, 0)
    closeness.begin(slots, phrases, rarities)
    for (const item of into.best(lookedAt)) {
      const { coverage, matched } = closeness.titleOf(item)
      into.set(item, into.of(item) * (1 + titleCoverage * coverage) + title * coverage * matched)
    }
    // Reads all text of an item, so only the best ones are checked.
    for (const item of into.best(lookedAt / 3)) {
      const share = proximity > 0 && possible > 0 ? closeness.proximityOf(item) / possible : 0
      const score = into.of(item) + proximity * possible * share * share
      into.set(item, score * (1 + adjacency * closeness.adjacencyOf(item)))
    }
  }

  /** Scores of parts of the request next to those of the whole, with the best of each adjusted. */
  #scoreParts(query: string, slots: readonly Slot[]): void {
    const ofWhole = this.#ofWhole
    const ofPart = this.#ofPart
    const { top } = ofWhole
    const byTerm = new Map(slots.map((slot) => [slot.term, slot]))
    for (const { terms, phrases } of partsOf(query)) {
      const partSlots = terms.flatMap(({ term }) => byTerm.get(term) ?? [])
      this.#scoreWords(ofPart, partSlots, phrases, maxPerPart)
      const scale = this.#tuning.part * (top / (ofPart.top || 1)) ** evenness
      for (const item of ofPart.best(maxPerPart)) {
        const answer = scale * ofPart.of(item)
        const before = ofWhole.of(item)
        const joined = Math.max(before, answer) + both * Math.min(before, answer)
        if (joined > before) ofWhole.set(item, joined)
      }
    }
  }
}
