import type { CatalogTool } from '../../catalog/catalog-tools.ts'
import type { Candidate } from './tool-index.ts'

/** Weight of lower ranks against the first one. Cormack, Clarke and Büttcher 2009. */
const k = 60

/** A tool that is further ahead of the next one by its words stays first. */
const minLead = 1.5

/** Merges two rankings by reciprocal rank fusion. */
export function fuse(
  byWords: readonly RankedCandidate[],
  byMeaning: readonly CatalogTool[],
  most: number,
): RankedCandidate[] {
  const scores = new Map<unknown, { score: number; ranked: RankedCandidate }>()
  const add = (key: unknown, rank: number, ranked: RankedCandidate): void => {
    const known = scores.get(key)
    const score = (known?.score ?? 0) + 1 / (k + rank + 1)
    scores.set(key, { score, ranked: known?.ranked ?? ranked })
  }
  const [first, second] = byWords
  if (first && first.score >= minLead * (second?.score ?? 0))
    scores.set(first.item.tool ?? first.item.absent, { score: 1, ranked: first })
  for (const [rank, ranked] of byWords.slice(0, most).entries())
    add(ranked.item.tool ?? ranked.item.absent, rank, ranked)
  for (const [rank, tool] of byMeaning.slice(0, most).entries())
    add(tool, rank, { item: { tool }, reasons: ['meaning'], score: 0 })
  return [...scores.values()]
    .sort((one, other) => other.score - one.score)
    .map(({ ranked }) => ranked)
}

export interface RankedCandidate {
  item: Candidate
  /** By its words; 0 if they do not match. */
  score: number
  reasons: readonly string[]
}
