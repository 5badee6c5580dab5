/** What counts how much beside the terms themselves. All are factors; 0 switches one off. */
export interface Tuning {
  /** Of BM25: how soon another occurrence of a term stops counting. */
  saturation: number
  /** Share of the score that an item has to earn by having all of the query's terms. */
  queryCoverage: number
  /** For an item whose title has no words but the query's. */
  titleCoverage: number
  /** For terms that stand side by side as in the query. */
  adjacency: number
  /** How far synonyms count as their tables say. */
  synonym: number
  /** For an item whose group, as a whole, has more of the query than others. */
  group: number
  /** How far an item is raised towards the best of its group. */
  sibling: number
  /** What an answer to a part of the request counts of one to the whole. */
  part: number
  /** How much an item loses by having only what better ones have too. */
  variety: number
}

export const defaultTuning: Tuning = {
  saturation: 1.2,
  queryCoverage: 0.5,
  titleCoverage: 1,
  adjacency: 0.5,
  synonym: 0,
  group: 0,
  sibling: 0,
  part: 0,
  variety: 0,
}
