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

export interface RankerOptions<T> {
  /** The first is the title of an item: what it is, in a few words. */
  fields: readonly Field<T>[]
  /** The item that contains this one. Of two hits, one inside the other, the better one is kept. */
  parent?: (item: T) => T | undefined
  /** Items that belong together, such as the tools of a server, by the name of their group. */
  group?: (item: T) => string
  /** Default: `question`. */
  asking?: Asking
  tuning?: Partial<Tuning>
  /** Tells rare terms from common ones where the items are candidates out of many more. */
  collection?: Collection
}

/** A result of a ranker that knows the terms of its items. */
export interface RankedByTerms<T> extends Ranked<T> {
  /** The terms of the item by which it was found, as `termsOf` gives them, in the order of the query. */
  terms: string[]
}

/** A ranker whose items may change. */
export interface IndexedRanker<T> extends Ranker<T> {
  rank(query: string, options?: RankOptions): RankedByTerms<T>[]
  /** Add an item, or read it again if it is there. */
  add(item: T): void
  /** False if the item was not there. */
  remove(item: T): boolean
  /** Words of a query that no item has, each with the most similar ones that exist. */
  explainMiss(query: string): { word: string; nearest: string[] }[]
}

/** Hits that are looked at again, for their titles and for terms side by side. */
const mostLookedAt = 150
/** The same, of the answer to a part of the request. */
const mostOfPart = 50
/** Hits that are raised towards the best of their group. */
const mostRaised = 400
/** What the lesser counts of two scores, for the whole request and for a part. */
const both = 0.5
/** How far the best of a part counts as much as the best of all: a part that few words match says less. */
const evenness = 0.8
/** Hits that `variety` may order anew. */
const mostVaried = 30
/** Words of longer queries are not guessed: the others say enough. */
const longestGuessed = 12

/**
 * Rank by BM25F: rare terms count more than common ones, and terms in a heavy or short field more
 * than in a light or long one; items with more of the query's terms, with a title that says what
 * was asked, and with the terms side by side come first. Built in time linear in the text; the
 * order is the same every time.
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
    const guess = terms.length > longestGuessed ? () => [] : createGuess(index)
    const slots = slotsOf(index, terms, tuning.synonym, guess)
    score(whole, slots, phrases, mostLookedAt)
    if (tuning.part > 0) scoreParts(query, slots)
    if (tuning.sibling > 0) groups?.raise(whole, mostRaised, tuning.sibling)
    const hits = sortedHits(slots, limit)
    return withoutNested(hits, parent, limit).map(({ number, item, score }) => ({
      item,
      score,
      // Worded when someone looks: not all of a long answer is shown.
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
    // This takes a look at all of the text, so only the best have it.
    for (const item of into.best(lookedAt / 3))
      into.set(item, into.of(item) * (1 + tuning.adjacency * closeness.adjacencyOf(item)))
  }

  /** Answers to a part of the request beside answers to the whole, the best of each alike. */
  function scoreParts(query: string, slots: readonly Slot[]): void {
    const { top } = whole
    const byTerm = new Map(slots.map((slot) => [slot.term, slot]))
    for (const { terms, phrases } of partsOf(query)) {
      const own = terms.flatMap(({ term }) => byTerm.get(term) ?? [])
      score(ofPart, own, phrases, mostOfPart)
      const scale = tuning.part * (top / (ofPart.top || 1)) ** evenness
      for (const item of ofPart.best(mostOfPart)) {
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
    const wanted = Math.max(limit, tuning.variety > 0 ? mostVaried : 0)
    const best = whole.best(wanted, isExact)
    // Hits inside others may fall away, so only without them is it known how many are looked at.
    const few = parent || best.length < wanted ? whole.items() : best
    const hits = Array.from(few, (number) => ({
      number,
      item: defined(index.items[number]),
      score: whole.of(number),
      exact: isExact?.(number) === false ? 0 : 1,
    })).sort((a, b) => b.exact - a.exact || b.score - a.score || a.number - b.number)
    const guessed = hits.findIndex(({ exact }) => exact === 0)
    const exact = guessed < 0 ? hits.length : guessed
    lowerGuesses(hits, exact)
    if (tuning.variety > 0) vary(hits, Math.min(exact, mostVaried), slots, words, tuning.variety)
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

/** Without what is said to be undefined. */
const stated = (tuning: Partial<Tuning> = {}): Partial<Tuning> =>
  Object.fromEntries(Object.entries(tuning).filter(([, value]) => value !== undefined))

/** Unknown words of a query past this many are not guessed: it is no question then. */
const mostGuesses = 8

/** Guesses for one query, each word once. */
function createGuess<T>(index: TermIndex<T>): Guess {
  const known = new Map<string, ReturnType<Guess>>()
  return (term, isLast) => {
    const key = `${isLast} ${term}`
    const found =
      known.get(key) ?? (known.size < mostGuesses ? nearestTerms(index, term, isLast) : [])
    known.set(key, found)
    return found
  }
}

/** Scores of what was only guessed, behind the first `exact`, below those before, as the order has it. */
function lowerGuesses(hits: { score: number }[], exact: number): void {
  const last = hits[exact - 1]
  const first = hits[exact]
  if (!last || !first || first.score <= last.score) return
  const factor = (last.score / first.score) * 0.99
  for (const hit of hits.slice(exact)) hit.score *= factor
}

/** Which items were found by words of the query, not only by similar ones; undefined for all. */
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
