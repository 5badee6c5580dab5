import type { AbsentTool, Offer } from '../../catalog/offers.ts'

/** So much a place far down counts, beside the first. Cormack, Clarke and Büttcher 2009. */
const k = 60

/** Two rankings as one, by reciprocal ranks. */
export function fuse(
  byWords: readonly RankedCandidate[],
  byMeaning: readonly Offer[],
  most: number,
): RankedCandidate[] {
  const scores = new Map<unknown, { score: number; ranked: RankedCandidate }>()
  const add = (key: unknown, rank: number, ranked: RankedCandidate): void => {
    const known = scores.get(key)
    const score = (known?.score ?? 0) + 1 / (k + rank + 1)
    scores.set(key, { score, ranked: known?.ranked ?? ranked })
  }
  for (const [rank, ranked] of byWords.slice(0, most).entries())
    add(ranked.item.offer ?? ranked.item.absent, rank, ranked)
  for (const [rank, offer] of byMeaning.slice(0, most).entries())
    add(offer, rank, { item: { offer }, reasons: ['meaning'] })
  return [...scores.values()]
    .sort((one, other) => other.score - one.score)
    .map(({ ranked }) => ranked)
}

/** A tool as the scorer takes it, with its way back. */
export interface Candidate {
  name: string
  title?: string | undefined
  description?: string | undefined
  inputSchema?: unknown
  server: string
  serverDescription?: string | undefined
  offer?: Offer
  absent?: AbsentTool
}

export interface RankedCandidate {
  item: { offer?: Offer; absent?: AbsentTool }
  reasons: readonly string[]
}
