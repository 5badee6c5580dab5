/** Weights of the signals in addition to the terms; 0 disables one. */
export interface Tuning {
  /** BM25 saturation: how soon further occurrences of a term stop counting. */
  saturation: number
  /** Share of the score that depends on covering all query terms. */
  queryCoverage: number
  /** Factor for an item whose title has no words except those of the query. */
  titleCoverage: number
  /** Added for the words of the query in a title, in proportion to their share of the title. */
  title: number
  /** Added for words of the query that are close together in one field. */
  proximity: number
  /** For terms that are adjacent as in the query. */
  adjacency: number
  /** Factor on the weights of synonyms. */
  synonym: number
  /** For an item whose group as a whole covers more of the query. */
  group: number
  /** Weight of a match of a part of the request relative to one of the whole. */
  part: number
  /** Reduction of an item that matches only what better ones match as well. */
  variety: number
}

/** Default weights; the presets have their own. */
export const defaultTuning: Tuning = {
  saturation: 1.2,
  queryCoverage: 0.5,
  titleCoverage: 1,
  title: 0,
  proximity: 0,
  adjacency: 0.5,
  synonym: 0,
  group: 0,
  part: 0,
  variety: 0,
}
