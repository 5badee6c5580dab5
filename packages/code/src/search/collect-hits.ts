import { inTurns } from '../text/in-turns.ts'
import type { Words } from './query-words.ts'
import { isNamed, type SymbolHit, worthOf } from './symbol-hit.ts'

/** A search ends once it has this many hits that cannot be improved. */
const enough = 20

/** The symbols of a search so far, and what each is worth. */
export interface CollectedHits {
  hits: readonly SymbolHit[]
  worths: readonly number[]
  add(symbols: readonly SymbolHit[]): Promise<void>
  /** True if files with lines of at most `most` words cannot contain better hits. */
  cannotImprove(most: number, maxResults: number): boolean
}

/** The symbols of a search so far that contain words of its query. */
export function collectHits(query: string, words: Words): CollectedHits {
  const hits: SymbolHit[] = []
  const worths: number[] = []
  /** True if a hit has the name of the query and a body. */
  let isFound = false
  return {
    hits,
    worths,
    add: (symbols) =>
      inTurns(symbols, (hit) => {
        const worth = worthOf(hit, words, query)
        if (worth <= 0) return
        hits.push(hit)
        worths.push(worth)
        isFound ||= isNamed(hit, query) && !hit.isDeclaration
      }),
    cannotImprove(most, maxResults) {
      if (isFound && most < words.count) return true
      return worths.filter((worth) => worth >= most).length >= Math.max(maxResults, enough)
    },
  }
}
