export { type CountFields, countScorer } from './count-scorer.ts'
export type { Ranked, Ranker, RankOptions } from './ranker.ts'
