/** Ranks items, which can change; never throws for a query. */
export interface IndexedRanker<T> {
  /** Best first; ties keep the order of the items. A query without words has no results. */
  rank(query: string, options?: RankOptions<T>): Ranked<T>[]
  /** Add an item, or replace it. */
  add(item: T): void
  /** Returns false if the item does not exist. */
  remove(item: T): boolean
}

/** Options of one ranking. */
export interface RankOptions<T> {
  /** Maximum number of results. Default: all matches. */
  limit?: number
  /** Only items for which it is true. Words are as rare as they are among all items. */
  among?: (item: T) => boolean
}

/** An item with its score, the reasons for it, and the matched terms. */
export interface Ranked<T> {
  item: T
  /** Above 0; comparable within one result only. */
  score: number
  /** Why the item matched: `heading: warehouse`, `own text: 3 × warehouse`. */
  reasons: string[]
  /** The terms of the item that matched, as `termsOf` returns them, in the order of the query. */
  terms: string[]
}
