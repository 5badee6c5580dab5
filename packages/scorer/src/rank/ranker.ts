/** Ranks the items it was created with; never throws for a query. */
export interface Ranker<T> {
  /** Best first; ties keep the order of the items. A query without words has no results. */
  rank(query: string, options?: RankOptions): Ranked<T>[]
}

/** Options of one ranking. */
export interface RankOptions {
  /** Maximum number of results. Default: all matches. */
  limit?: number
}

/** An item with its score and the reasons for it. */
export interface Ranked<T> {
  item: T
  /** Above 0; comparable within one result only. */
  score: number
  /** Why the item matched: `heading: warehouse`, `own text: 3 × warehouse`. */
  reasons: string[]
}
