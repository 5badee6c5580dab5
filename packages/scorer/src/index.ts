export { type CountFields, countScorer } from './count-scorer.ts'
export { createRanker, type Field, type RankerOptions } from './create-ranker.ts'
export type { Ranked, Ranker, RankOptions } from './ranker.ts'
