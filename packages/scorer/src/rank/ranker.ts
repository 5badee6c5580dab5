/** Ranks the items it was made of. Built once, asked often; never throws for a query. */
export interface Ranker<T> {
  /** Best first; ties keep the order of the items. No word in the query, no result. */
  rank(query: string, options?: RankOptions): Ranked<T>[]
}

export interface RankOptions {
  /** Most results to return. Default: all that match. */
  limit?: number
}

export interface Ranked<T> {
  item: T
  /** Above 0; comparable within one answer only. */
  score: number
  /** Why it was found, in plain words: `heading: warehouse`, `own text: 3 × warehouse`. */
  reasons: string[]
}
