import type { TermIndex } from '../index/term-index.ts'
import type { QueryTerm } from '../terms/read-query.ts'
import { synonymsOf } from '../terms/synonyms.ts'
import type { Tuning } from './tuning.ts'

/** One word of the query: the terms it may be found by, the word itself first. */
export interface Slot {
  term: string
  weight: number
  alternatives: { id: number; weight: number }[]
  /** True if only similar words were found. */
  isGuess: boolean
}

export interface Scores {
  /** By item; 0 for one that has none of the terms. */
  readonly scores: Float64Array
  /** Items with any of the terms. */
  readonly touched: readonly number[]
  readonly slots: readonly Slot[]
}

/** What finds a word that no item has. */
export type Guess = (term: string, isLast: boolean) => { id: number; weight: number }[]

export function slotsOf<T>(
  index: TermIndex<T>,
  terms: readonly QueryTerm[],
  tuning: Tuning,
  guess: Guess,
): Slot[] {
  return terms.map(({ term, weight }, at) => {
    const alternatives: Slot['alternatives'] = []
    const own = liveId(index, term)
    if (own !== undefined) alternatives.push({ id: own, weight: 1 })
    if (tuning.synonym > 0)
      for (const other of synonymsOf(term)) {
        const id = liveId(index, other)
        if (id !== undefined) alternatives.push({ id, weight: tuning.synonym })
      }
    const isGuess = alternatives.length === 0
    if (isGuess) alternatives.push(...guess(term, at === terms.length - 1))
    return { term, weight, alternatives, isGuess }
  })
}

function liveId<T>(index: TermIndex<T>, term: string): number | undefined {
  const id = index.idOf(term)
  return id !== undefined && (index.postings[id]?.live ?? 0) > 0 ? id : undefined
}

/** A word that gives two thirds of what it can counts as covered in full: that takes no repetition. */
const enough = 1.5

/** BM25F over slots: of a word and its alternatives, the best counts, not the sum. */
export function scoreSlots<T>(
  index: TermIndex<T>,
  slots: readonly Slot[],
  tuning: Tuning,
  groupOf?: Int32Array,
): Scores {
  const count = index.items.length
  const scores = new Float64Array(count)
  const covered = new Float64Array(count)
  const best = new Float64Array(count)
  const touched: number[] = []
  const groups = groupOf && tuning.group > 0 ? createGroups(groupOf) : undefined
  let asked = 0
  for (const slot of slots) {
    const found = bestBySlot(index, slot, tuning, best)
    const rarity = rarityOf(index, slot) * slot.weight
    asked += rarity
    for (const item of found) {
      const value = best[item] as number
      best[item] = 0
      if (scores[item] === 0) touched.push(item)
      scores[item] = (scores[item] as number) + value
      covered[item] = (covered[item] as number) + Math.min(rarity, value * enough)
      groups?.take(item, value)
    }
    groups?.next()
  }
  if (asked > 0)
    for (const item of touched) {
      const coverage = (covered[item] as number) / asked
      scores[item] =
        (scores[item] as number) * (1 - tuning.queryCoverage + tuning.queryCoverage * coverage)
    }
  if (groups)
    for (const item of touched)
      scores[item] = (scores[item] as number) * (1 + tuning.group * groups.shareOf(item))
  return { scores, touched, slots }
}

/** Writes into `best` what the slot gives each item; gives the items. */
function bestBySlot<T>(
  index: TermIndex<T>,
  { weight, alternatives }: Slot,
  { saturation }: Tuning,
  best: Float64Array,
): number[] {
  const width = index.fields.length
  const weights = index.weightOfOccurrences()
  const rarities = index.rarityOfTerms()
  const found: number[] = []
  const most = alternatives[0] ? (rarities[alternatives[0].id] as number) : 0
  for (const alternative of alternatives) {
    const { items, counts } = index.postings[alternative.id] as {
      items: number[]
      counts: number[]
    }
    // A word that few use for it does not say more than the word itself.
    const rarity = Math.min(rarities[alternative.id] as number, most)
    const full = rarity * alternative.weight * weight
    for (let place = 0; place < items.length; place++) {
      const item = items[place] as number
      if (index.items[item] === undefined) continue
      let frequency = 0
      for (let at = 0; at < width; at++) {
        const times = counts[place * width + at] as number
        if (times > 0) frequency += times * (weights[item * width + at] as number)
      }
      const value = (full * frequency) / (saturation + frequency)
      if (value <= (best[item] as number)) continue
      if (best[item] === 0) found.push(item)
      best[item] = value
    }
  }
  return found
}

/** That of the word itself, where there is one. */
function rarityOf<T>(index: TermIndex<T>, { alternatives }: Slot): number {
  const [first] = alternatives
  return first ? (index.rarityOfTerms()[first.id] as number) * first.weight : 0
}

/** How much of the query each group has, all its items together. */
function createGroups(groupOf: Int32Array) {
  const count = groupOf.reduce((most, group) => Math.max(most, group), -1) + 1
  const total = new Float64Array(count)
  const best = new Float64Array(count)
  let most = 0
  return {
    take(item: number, value: number): void {
      const group = groupOf[item] as number
      if (value > (best[group] as number)) best[group] = value
    },
    next(): void {
      for (let group = 0; group < count; group++) {
        total[group] = (total[group] as number) + (best[group] as number)
        best[group] = 0
        if ((total[group] as number) > most) most = total[group] as number
      }
    },
    shareOf: (item: number): number =>
      most > 0 ? (total[groupOf[item] as number] as number) / most : 0,
  }
}
