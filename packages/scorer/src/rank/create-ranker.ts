import { nearestTerms } from '../term-index/nearest-terms.ts'
import { type Collection, type Field, TermIndex } from '../term-index/term-index.ts'
import { type Asking, readQuery } from '../terms/read-query.ts'
import { QueryScorer } from './query-scorer.ts'
import type { IndexedRanker, Ranked, RankOptions } from './ranker.ts'
import { foundTermsOf, reasonsOf } from './reasons.ts'
import { type Guess, slotsOf } from './slots.ts'
import { sortHits } from './sort-hits.ts'
import { defaultTuning, type Tuning } from './tuning.ts'
import { vary } from './vary.ts'
import { withoutNested } from './without-nested.ts'

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
  { fields, parent, group, asking = 'question', tuning: overrides, collection }: RankerOptions<T>,
): IndexedRanker<T> {
  const tuning = { ...defaultTuning, ...stated(overrides) }
  const index = new TermIndex(fields, collection)
  const scorer = new QueryScorer(index, tuning, group, asking)
  for (const item of items) add(item)

  return { rank, add, remove: (item) => index.remove(item) }

  function add(item: T): void {
    index.remove(item)
    index.add(item)
  }

  function rank(
    query: string,
    { limit = Number.POSITIVE_INFINITY, among }: RankOptions<T> = {},
  ): Ranked<T>[] {
    const { terms, phrases } = readQuery(query, asking)
    const guess = terms.length > maxGuessedLength ? () => [] : createGuess(index)
    const slots = slotsOf(index, terms, tuning.synonym, guess)
    const scores = scorer.score({ query, slots, phrases, among })
    const { variety } = tuning
    // Nested hits may be removed, so the number of candidates is fixed only without parents.
    const count = parent ? Number.POSITIVE_INFINITY : Math.max(limit, variety > 0 ? maxVaried : 0)
    const { hits, exact } = sortHits(index, slots, scores, count)
    if (variety > 0) vary(hits, Math.min(exact, maxVaried), slots, scorer.words, variety)
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
}

const stated = (tuning: Partial<Tuning> = {}): Partial<Tuning> =>
  Object.fromEntries(Object.entries(tuning).filter(([, value]) => value !== undefined))

/** Further unknown words of a query are not guessed; text with more is not a query. */
const maxGuesses = 8

/** Guesses of one query, cached by word. */
function createGuess<T>(index: TermIndex<T>): Guess {
  const guesses = new Map<string, ReturnType<Guess>>()
  return (term, isLast) => {
    const key = `${isLast} ${term}`
    const alternatives =
      guesses.get(key) ?? (guesses.size < maxGuesses ? nearestTerms(index, term, isLast) : [])
    guesses.set(key, alternatives)
    return alternatives
  }
}
