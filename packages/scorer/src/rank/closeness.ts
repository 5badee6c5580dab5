import type { TermIndex } from '../index/term-index.ts'
import type { Slot } from './score-query.ts'

/** The share of an item's title that the query says, rare words counting more; 0–1. */
export function titleCoverageOf<T>(
  index: TermIndex<T>,
  item: number,
  weights: Float32Array,
): number {
  const title = index.sequences[item]?.[0]
  if (!title || title.length === 0) return 0
  const rarities = index.rarityOfTerms()
  let said = 0
  let all = 0
  for (let at = 0; at < title.length; at++) {
    const id = title[at] as number
    const rarity = rarities[id] as number
    all += rarity
    said += rarity * (weights[id] as number)
  }
  return all > 0 ? said / all : 0
}

/** By term, the terms that stand behind it in the query or in one of its quoted phrases. */
export interface Neighbours {
  next: ReadonlyMap<number, ReadonlySet<number>>
  /** By term: 1 for those that have any. */
  has: Uint8Array
  pairs: number
}

export function neighboursOf<T>(
  index: TermIndex<T>,
  slots: readonly Slot[],
  phrases: readonly (readonly string[])[],
): Neighbours {
  const neighbours = new Map<number, Set<number>>()
  const chains = [
    slots.map(({ alternatives }) => alternatives[0]?.id),
    ...phrases.map((phrase) => phrase.map((term) => index.idOf(term))),
  ]
  for (const chain of chains)
    for (const [at, id] of chain.entries()) {
      const next = chain[at + 1]
      if (id === undefined || next === undefined) continue
      const known = neighbours.get(id)
      if (known) known.add(next)
      else neighbours.set(id, new Set([next]))
    }
  const has = new Uint8Array(index.names.length)
  let pairs = 0
  for (const [id, next] of neighbours) {
    has[id] = 1
    pairs += next.size
  }
  return { next: neighbours, has, pairs }
}

/** The share of neighbours that stand side by side in a field of the item; 0–1. */
export function adjacencyOf<T>(index: TermIndex<T>, item: number, neighbours: Neighbours): number {
  const { next, has, pairs } = neighbours
  if (pairs === 0) return 0
  const found = new Set<string>()
  for (const sequence of index.sequences[item] ?? [])
    for (let at = 0; at + 1 < sequence.length; at++) {
      const id = sequence[at] as number
      if (has[id] === 1 && next.get(id)?.has(sequence[at + 1] as number))
        found.add(`${id} ${sequence[at + 1]}`)
    }
  return found.size / pairs
}
