import type { TermIndex } from '../index/term-index.ts'
import type { Slot } from './score-query.ts'

/** The share of an item's title that the query says, rare words counting more; 0–1. */
export function titleCoverageOf<T>(
  index: TermIndex<T>,
  item: number,
  weights: ReadonlyMap<number, number>,
): number {
  const title = index.sequences[item]?.[0]
  if (!title || title.length === 0) return 0
  const rarities = index.rarityOfTerms()
  let said = 0
  let all = 0
  for (const id of title) {
    const rarity = rarities[id] as number
    all += rarity
    said += rarity * (weights.get(id) ?? 0)
  }
  return all > 0 ? said / all : 0
}

/**
 * The share of neighbours in the query, or of its quoted phrases, that stand side by side in a
 * field of the item; 0–1.
 */
export function adjacencyOf<T>(
  index: TermIndex<T>,
  item: number,
  slots: readonly Slot[],
  phrases: readonly (readonly string[])[],
): number {
  const ids = slots.map(({ alternatives }) => alternatives[0]?.id ?? -1)
  const pairs = new Set<number>()
  for (let at = 0; at + 1 < ids.length; at++)
    if (ids[at] !== -1 && ids[at + 1] !== -1)
      pairs.add(pairOf(ids[at] as number, ids[at + 1] as number))
  for (const phrase of phrases)
    for (let at = 0; at + 1 < phrase.length; at++)
      pairs.add(
        pairOf(index.idOf(phrase[at] as string) ?? -1, index.idOf(phrase[at + 1] as string) ?? -1),
      )
  if (pairs.size === 0) return 0
  const found = new Set<number>()
  for (const sequence of index.sequences[item] ?? [])
    for (let at = 0; at + 1 < sequence.length; at++) {
      const pair = pairOf(sequence[at] as number, sequence[at + 1] as number)
      if (pairs.has(pair)) found.add(pair)
    }
  return found.size / pairs.size
}

/** Ids stay below 2²⁶: two of them fit a number. */
const pairOf = (one: number, next: number): number => one * 2 ** 26 + next
