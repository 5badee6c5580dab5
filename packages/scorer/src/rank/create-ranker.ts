import { defined } from '../defined.ts'
import { nearestTerms } from '../term-index/nearest-terms.ts'
import { type Collection, type Field, TermIndex } from '../term-index/term-index.ts'
import { partsOf } from '../terms/parts-of.ts'
import { type Asking, readQuery } from '../terms/read-query.ts'
import { Closeness } from './closeness.ts'
import { Groups } from './groups.ts'
import type { Ranked, Ranker, RankOptions } from './ranker.ts'
import { foundTermsOf, reasonsOf } from './reasons.ts'
import { Scores } from './scores.ts'
import { type Guess, type Slot, slotsOf } from './slots.ts'
import { defaultTuning, type Tuning } from './tuning.ts'
import { vary } from './vary.ts'
import { withoutNested } from './without-nested.ts'
import { WordReader } from './word-hits.ts'

/** Fields, hierarchy and tuning of a ranker. */
export interface RankerOptions<T> {
  /** The first field is the title of an item. */
  fields: readonly Field<T>[]
  /** The item that contains this one. Of two nested hits, the better one is kept. */
  parent?: (item: T) => T | undefined
  /** The group of an item, such as the server of a tool. */
  group?: (item: T) => string
  /** Default: `question`. */
  asking?: Asking
  tuning?: Partial<Tuning>
  /** Term statistics, if the items are candidates from a larger collection. */
  collection?: Collection
}

/** A result with the matched terms. */
export interface RankedByTerms<T> extends Ranked<T> {
  /** The terms of the item that matched, as `termsOf` returns them, in the order of the query. */
  terms: string[]
}

/** A ranker whose items can change. */
export interface IndexedRanker<T> extends Ranker<T> {
  rank(query: string, options?: RankOptions): RankedByTerms<T>[]
  /** Add an item, or replace it. */
  add(item: T): void
  /** Returns false if the item does not exist. */
  remove(item: T): boolean
  /** Words of a query that no item contains, each with the most similar terms. */
  explainMiss(query: string): { word: string; nearest: string[] }[]
}

/** Number of hits that are rescored by their titles and adjacent terms. */
const maxLookedAt = 150
/** The same, for a part of the request. */
const maxPerPart = 50
/** Number of hits that are raised towards the best of their group. */
const maxRaised = 400
/** Weight of the lower of two scores, for the whole request and for a part. */
const both = 0.5
/**
 * How much the best hit of a part is adjusted to the best of all; a part with few matching words
 * counts less.
 */
const evenness = 0.8
/** Number of hits that `variety` may reorder. */
const maxVaried = 30
/** In longer queries, unknown words are not guessed. */
const maxGuessedLength = 12

/**
 * Rank by BM25F: rare terms weigh more than common ones, and terms in a heavy or short field more
 * than in a light or long one. Items with more of the query's terms, with a matching title, and
 * with adjacent terms come first. Built in time linear in the text; the order is deterministic.
 */
export function createRanker<T>(
  items: readonly T[],
  { fields, parent, group, asking = 'question', tuning: own, collection }: RankerOptions<T>,
): IndexedRanker<T> {
  const tuning = { ...defaultTuning, ...stated(own) }
  const index = new TermIndex(fields, collection)
  const groups = group && tuning.group > 0 ? new Groups(index, group) : undefined
  const words = new WordReader(index, tuning.saturation)
  const closeness = new Closeness(index)
  const whole = new Scores()
  const ofPart = new Scores()
  for (const item of items) add(item)

  return { rank, add, remove: (item) => index.remove(item), explainMiss }

  function add(item: T): void {
    index.remove(item)
    index.add(item)
  }

  function rank(
    query: string,
    { limit = Number.POSITIVE_INFINITY }: { limit?: number } = {},
  ): RankedByTerms<T>[] {
    const { terms, phrases } = readQuery(query, asking)
    const guess = terms.length > maxGuessedLength ? () => [] : createGuess(index)
    const slots = slotsOf(index, terms, tuning.synonym, guess)
    score(whole, slots, phrases, maxLookedAt)
    if (tuning.part > 0) scoreParts(query, slots)
    if (tuning.sibling > 0) groups?.raise(whole, maxRaised, tuning.sibling)
    const hits = sortedHits(slots, limit)
    return withoutNested(hits, parent, limit).map(({ number, item, score }) => ({
      item,
      score,
      // Computed lazily, because not all hits are shown.
      get reasons() {
        return reasonsOf(index, number, slots)
      },
      get terms() {
        return foundTermsOf(index, number, slots)
      },
    }))
  }

  function score(
    into: Scores,
    slots: readonly Slot[],
    phrases: readonly (readonly string[])[],
    lookedAt: number,
  ): void {
    into.begin(index.items.length)
    into.take(slots, words, tuning, groups)
    closeness.begin(slots, phrases)
    for (const item of into.best(lookedAt))
      into.set(item, into.of(item) * (1 + tuning.titleCoverage * closeness.titleCoverageOf(item)))
    // Reads all text of an item, so only the best ones are checked.
    for (const item of into.best(lookedAt / 3))
      into.set(item, into.of(item) * (1 + tuning.adjacency * closeness.adjacencyOf(item)))
  }

  /** Scores of parts of the request next to those of the whole, with the best of each adjusted. */
  function scoreParts(query: string, slots: readonly Slot[]): void {
    const { top } = whole
    const byTerm = new Map(slots.map((slot) => [slot.term, slot]))
    for (const { terms, phrases } of partsOf(query)) {
      const own = terms.flatMap(({ term }) => byTerm.get(term) ?? [])
      score(ofPart, own, phrases, maxPerPart)
      const scale = tuning.part * (top / (ofPart.top || 1)) ** evenness
      for (const item of ofPart.best(maxPerPart)) {
        const answer = scale * ofPart.of(item)
        const before = whole.of(item)
        const joined = Math.max(before, answer) + both * Math.min(before, answer)
        if (joined > before) whole.set(item, joined)
      }
    }
  }

  /** At least `limit` hits, the best first. */
  function sortedHits(
    slots: readonly Slot[],
    limit: number,
  ): { number: number; item: T; score: number }[] {
    const isExact = exactItems(index, slots)
    const hitCount = Math.max(limit, tuning.variety > 0 ? maxVaried : 0)
    const best = whole.best(hitCount, isExact)
    // Nested hits may be removed, so the number of candidates is fixed only without parents.
    const few = parent || best.length < hitCount ? whole.items() : best
    const hits = Array.from(few, (number) => ({
      number,
      item: defined(index.items[number]),
      score: whole.of(number),
      exact: isExact?.(number) === false ? 0 : 1,
    })).sort((a, b) => b.exact - a.exact || b.score - a.score || a.number - b.number)
    const guessed = hits.findIndex(({ exact }) => exact === 0)
    const exact = guessed < 0 ? hits.length : guessed
    lowerGuesses(hits, exact)
    if (tuning.variety > 0) vary(hits, Math.min(exact, maxVaried), slots, words, tuning.variety)
    return hits
  }

  function explainMiss(query: string): { word: string; nearest: string[] }[] {
    const guess = createGuess(index)
    return slotsOf(index, readQuery(query, asking).terms, tuning.synonym, () => [])
      .filter(({ isGuess }) => isGuess)
      .map(({ term }) => ({
        word: term,
        nearest: guess(term, true).map(({ id }) => defined(index.names[id])),
      }))
  }
}

const stated = (tuning: Partial<Tuning> = {}): Partial<Tuning> =>
  Object.fromEntries(Object.entries(tuning).filter(([, value]) => value !== undefined))

/** Further unknown words of a query are not guessed; text with more is not a query. */
const maxGuesses = 8

/** Guesses of one query, cached by word. */
function createGuess<T>(index: TermIndex<T>): Guess {
  const known = new Map<string, ReturnType<Guess>>()
  return (term, isLast) => {
    const key = `${isLast} ${term}`
    const found =
      known.get(key) ?? (known.size < maxGuesses ? nearestTerms(index, term, isLast) : [])
    known.set(key, found)
    return found
  }
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
  const found = new Uint8Array(index.items.length)
  for (const { alternatives } of exact)
    for (const { id } of alternatives)
      for (const item of index.postings[id]?.items ?? []) found[item] = 1
  return (item) => found[item] === 1
}
