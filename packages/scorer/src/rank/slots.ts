import type { TermIndex } from '../index/term-index.ts'
import type { QueryTerm } from '../terms/read-query.ts'
import { synonymsOf } from '../terms/synonyms/synonyms-of.ts'

/** One word of the query: the terms it may be found by, the word itself first. */
export interface Slot {
  term: string
  weight: number
  alternatives: readonly Alternative[]
  /** True if only similar words were found. */
  isGuess: boolean
}

interface Alternative {
  id: number
  weight: number
}

/** What finds a word that no item has. */
export type Guess = (term: string, isLast: boolean) => Alternative[]

export function slotsOf<T>(
  index: TermIndex<T>,
  terms: readonly QueryTerm[],
  synonym: number,
  guess: Guess,
): Slot[] {
  return terms.map(({ term, weight }, at) => {
    const alternatives: Alternative[] = []
    const own = liveId(index, term)
    if (own !== undefined) alternatives.push({ id: own, weight: 1 })
    if (synonym > 0)
      for (const [other, share] of synonymsOf(term)) {
        const id = liveId(index, other)
        if (id !== undefined) alternatives.push({ id, weight: synonym * share })
      }
    const isGuess = alternatives.length === 0
    if (isGuess) alternatives.push(...guess(term, at === terms.length - 1))
    return { term, weight, alternatives, isGuess }
  })
}

function liveId<T>(index: TermIndex<T>, term: string): number | undefined {
  const id = index.idOf(term)
  return id !== undefined && (index.postings[id]?.live ?? 0) > 0 ? id : undefined
}
