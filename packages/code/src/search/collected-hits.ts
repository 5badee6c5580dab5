import type { Words } from './query-words.ts'
import { isNamed, type SymbolHit, worthOf } from './symbol-hit.ts'

/** A search ends once it has this many hits that cannot be improved. */
const enough = 20

/** The symbols of a search so far that contain words of its query. */
export class CollectedHits {
  readonly hits: SymbolHit[] = []
  readonly #query: string
  readonly #words: Words
  readonly #worths: number[] = []
  /** True if a hit has the name of the query and a body. */
  #isFound = false

  constructor(query: string, words: Words) {
    this.#query = query
    this.#words = words
  }

  add(symbols: readonly SymbolHit[]): void {
    for (const hit of symbols) {
      const worth = worthOf(hit, this.#words, this.#query)
      if (worth <= 0) continue
      this.hits.push(hit)
      this.#worths.push(worth)
      this.#isFound ||= isNamed(hit, this.#query) && !hit.isDeclaration
    }
  }

  /** True if files with lines of at most `most` words cannot contain better hits. */
  cannotImprove(most: number, maxResults: number): boolean {
    if (this.#isFound && most < this.#words.count) return true
    return this.#worths.filter((worth) => worth >= most).length >= Math.max(maxResults, enough)
  }
}
