import { nearestTerms } from '../index/nearest-terms.ts'
import { type Collection, type Field, TermIndex } from '../index/term-index.ts'
import { partsOf, type Quotes, readQuery } from '../terms/read-query.ts'
import { adjacencyOf, neighboursOf, titleCoverageOf } from './closeness.ts'
import type { Ranked, Ranker } from './ranker.ts'
import { reasonsOf } from './reasons.ts'
import { type Guess, type Scores, type Slot, scoreSlots, slotsOf } from './score-query.ts'
import { defaultTuning, type Tuning } from './tuning.ts'
import { withoutNested } from './without-nested.ts'

export interface RankerOptions<T> {
  /** The first is the title of an item: what it is, in a few words. */
  fields: readonly Field<T>[]
  /** The item that contains this one. Of two hits, one inside the other, the better one is kept. */
  parent?: (item: T) => T | undefined
  /** Items that belong together, such as the tools of a server, by the name of their group. */
  group?: (item: T) => string
  /** What quotes in a query mean: words that belong together (default), or a value handed on. */
  quotes?: Quotes
  tuning?: Partial<Tuning>
  /** Tells rare terms from common ones where the items are candidates out of many more. */
  collection?: Collection
}

/** A ranker whose items may change. */
export interface IndexedRanker<T> extends Ranker<T> {
  /** Add an item, or read it again if it is there. */
  add(item: T): void
  /** False if the item was not there. */
  remove(item: T): boolean
  /** Words of a query that no item has, each with the most similar ones that exist. */
  explainMiss(query: string): { word: string; nearest: string[] }[]
}

/** Hits that are looked at again, for their titles and for terms side by side. */
const mostLookedAt = 150

/**
 * Rank by BM25F: rare terms count more than common ones, and terms in a heavy or short field more
 * than in a light or long one; items with more of the query's terms, with a title that says what
 * was asked, and with the terms side by side come first. Built in time linear in the text; the
 * order is the same every time.
 */
export function createRanker<T>(
  items: readonly T[],
  { fields, parent, group, quotes = 'phrases', tuning: own, collection }: RankerOptions<T>,
): IndexedRanker<T> {
  const tuning = { ...defaultTuning, ...stated(own) }
  const index = new TermIndex(fields, collection)
  const groups = createGrouping(index, group)
  for (const item of items) add(item)

  return { rank, add, remove: (item) => index.remove(item), explainMiss }

  function add(item: T): void {
    index.remove(item)
    index.add(item)
  }

  function rank(
    query: string,
    { limit = Number.POSITIVE_INFINITY }: { limit?: number } = {},
  ): Ranked<T>[] {
    const guess = createGuess(index)
    const whole = scoreOf(query, guess)
    const { scores, touched } = tuning.part > 0 ? withParts(whole, query, guess) : whole
    const isExact = exactItems(index, whole)
    const exact = isExact.all ? touched : touched.filter(isExact.of)
    // Hits inside others may fall away, so only without them is it known how many are looked at.
    const few = parent || exact.length < limit ? touched : best({ scores, touched: exact }, limit)
    const hits = few
      .map((number) => ({
        number,
        item: index.items[number] as T,
        score: scores[number] as number,
      }))
      .sort(
        (a, b) =>
          Number(isExact.of(b.number)) - Number(isExact.of(a.number)) ||
          b.score - a.score ||
          a.number - b.number,
      )
    if (!isExact.all) lowerGuesses(hits, isExact.of)
    return withoutNested(hits, parent, limit).map(({ number, item, score }) => ({
      item,
      score,
      // Worded when someone looks: not all of a long answer is shown.
      get reasons() {
        return reasonsOf(index, number, whole.slots)
      },
    }))
  }

  function scoreOf(query: string, guess: Guess): Scores {
    const { terms, phrases } = readQuery(query, quotes)
    const slots = slotsOf(index, terms, tuning, guess)
    const found = scoreSlots(index, slots, tuning, groups())
    const weights = weightsOf(index, slots)
    const neighbours = neighboursOf(index, slots, phrases)
    for (const item of best(found, mostLookedAt)) {
      const title = tuning.titleCoverage * titleCoverageOf(index, item, weights)
      const adjacency = tuning.adjacency * adjacencyOf(index, item, neighbours)
      found.scores[item] = (found.scores[item] as number) * (1 + title) * (1 + adjacency)
    }
    return found
  }

  /** Answers to a part of the request beside answers to the whole, the best of each alike. */
  function withParts(
    whole: Scores,
    query: string,
    guess: Guess,
  ): Pick<Scores, 'scores' | 'touched'> {
    const top = highest(whole)
    for (const part of partsOf(query)) {
      const answer = scoreOf(part, guess)
      const scale = (tuning.part * top) / (highest(answer) || 1)
      for (const item of answer.touched)
        whole.scores[item] = Math.max(
          whole.scores[item] as number,
          scale * (answer.scores[item] as number),
        )
    }
    return whole
  }

  function explainMiss(query: string): { word: string; nearest: string[] }[] {
    const guess = createGuess(index)
    return slotsOf(index, readQuery(query, quotes).terms, tuning, () => [])
      .filter(({ isGuess }) => isGuess)
      .map(({ term }) => ({
        word: term,
        nearest: guess(term, true).map(({ id }) => index.names[id] as string),
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

/** Scores of what was only guessed below those of what was found, as the order has it. */
function lowerGuesses(
  hits: { number: number; score: number }[],
  isExact: (item: number) => boolean,
): void {
  const guessed = hits.filter(({ number }) => !isExact(number))
  const last = hits[hits.length - guessed.length - 1]
  const first = guessed[0]
  if (!last || !first || first.score <= last.score) return
  const factor = (last.score / first.score) * 0.99
  for (const hit of guessed) hit.score *= factor
}

/** Which items were found by words of the query, not only by similar ones. */
function exactItems<T>(
  index: TermIndex<T>,
  { slots }: Scores,
): { all: boolean; of: (item: number) => boolean } {
  const exact = slots.filter(({ isGuess }) => !isGuess)
  if (exact.length === slots.length || exact.length === 0) return { all: true, of: () => true }
  const found = new Uint8Array(index.items.length)
  for (const { alternatives } of exact)
    for (const { id } of alternatives)
      for (const item of index.postings[id]?.items ?? []) found[item] = 1
  return { all: false, of: (item) => found[item] === 1 }
}

const highest = ({ scores, touched }: Pick<Scores, 'scores' | 'touched'>): number =>
  touched.reduce((most, item) => Math.max(most, scores[item] as number), 0)

/** By term: how much of the query it stands for. */
function weightsOf<T>(index: TermIndex<T>, slots: readonly Slot[]): Float32Array {
  const weights = new Float32Array(index.names.length)
  for (const { alternatives } of slots)
    for (const { id, weight } of alternatives) weights[id] = Math.max(weight, weights[id] as number)
  return weights
}

/** At least `count` of the best items, and few more, in no order; all if they are few. */
function best(
  { scores, touched }: Pick<Scores, 'scores' | 'touched'>,
  count: number,
): readonly number[] {
  if (touched.length <= count) return touched
  const top = highest({ scores, touched })
  const steps = new Uint32Array(stepsOfScore + 1)
  const stepOf = (item: number) => Math.floor(((scores[item] as number) / top) * stepsOfScore)
  for (const item of touched) {
    const step = stepOf(item)
    steps[step] = (steps[step] as number) + 1
  }
  let least = stepsOfScore
  for (let taken = steps[least] as number; taken < count && least > 0; )
    taken += steps[--least] as number
  return touched.filter((item) => stepOf(item) >= least)
}

/** How finely scores are sorted into heaps, so that not all have to be compared. */
const stepsOfScore = 512

function createGrouping<T>(
  index: TermIndex<T>,
  group: ((item: T) => string) | undefined,
): () => Int32Array | undefined {
  if (!group) return () => undefined
  const numbers = new Map<string, number>()
  let groupOf = new Int32Array()
  let version = -1
  return () => {
    if (version === index.version) return groupOf
    version = index.version
    groupOf = Int32Array.from(index.items, (item) => {
      if (item === undefined) return 0
      const name = group(item)
      const number = numbers.get(name) ?? numbers.size
      numbers.set(name, number)
      return number
    })
    return groupOf
  }
}
