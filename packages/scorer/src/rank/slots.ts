import type { TermIndex } from '../term-index/term-index.ts'
import { type QueryTerm, readQuery } from '../terms/read-query.ts'
import { stemOf } from '../terms/stem.ts'
import { synonymsOf } from '../terms/synonyms-of.ts'

/** One word of the query with its alternative terms, the word itself first. */
export interface Slot {
  term: string
  /** Slots with the same key have the same alternatives until the index changes. */
  key: string
  weight: number
  alternatives: readonly Alternative[]
  /** True if only similar words were found. */
  isGuess: boolean
}

interface Alternative {
  id: number
  weight: number
}

/**
 * The terms that rank items by a query: its own, their synonyms, and those that neighbours form
 * together.
 */
export function matchedTerms(query: string): Set<string> {
  const { terms, phrases } = readQuery(query)
  return new Set([
    ...terms.flatMap(({ term, folded = term }, at) => [
      term,
      folded,
      ...synonymsOf(term).keys(),
      stemOf(term + (terms[at + 1]?.term ?? '')),
    ]),
    ...phrases.flat(),
  ])
}

/** Weight of a term without the marks of the query's. */
const foldedWeight = 0.6

/** Finds similar terms for a word that no item contains. */
export type Guess = (term: string, isLast: boolean) => Alternative[]

export function slotsOf<T>(
  index: TermIndex<T>,
  terms: readonly QueryTerm[],
  synonym: number,
  guess: Guess,
): Slot[] {
  return terms.map(({ term, weight, folded }, at) => {
    const alternatives: Alternative[] = []
    const termId = liveId(index, term)
    if (termId !== undefined) alternatives.push({ id: termId, weight: 1 })
    if (synonym > 0)
      for (const [synonymTerm, share] of synonymsOf(term)) {
        const id = liveId(index, synonymTerm)
        if (id !== undefined) alternatives.push({ id, weight: synonym * share })
      }
    const unmarked = folded === undefined ? undefined : liveId(index, folded)
    if (unmarked !== undefined) alternatives.push({ id: unmarked, weight: foldedWeight })
    const joined = synonym > 0 ? joinedTerms(index, terms, at) : []
    alternatives.push(...joined)
    const isGuess = alternatives.length === 0
    if (isGuess) alternatives.push(...guess(term, at === terms.length - 1))
    const key = [term, ...joined.map(({ id }) => id)].join(' ')
    return { term, key, weight, alternatives, isGuess }
  })
}

/** Weight of two words that are one in the text: `zip code` and `zipcode`. */
const joinedWeight = 0.9
const minJoinedLength = 3

/** Terms that a word of the query forms with the previous and the next one. */
function joinedTerms<T>(
  index: TermIndex<T>,
  terms: readonly QueryTerm[],
  at: number,
): Alternative[] {
  const [before = '', term = '', after = ''] = [at - 1, at, at + 1].map(
    (place) => terms[place]?.term,
  )
  const pairs = [
    [before, term],
    [term, after],
  ] as const
  return pairs.flatMap(([first, second]) => {
    if (first.length < minJoinedLength || second.length < minJoinedLength) return []
    const id = liveId(index, stemOf(first + second))
    return id === undefined ? [] : [{ id, weight: joinedWeight }]
  })
}

function liveId<T>(index: TermIndex<T>, term: string): number | undefined {
  const id = index.idOf(term)
  return id !== undefined && (index.postings[id]?.live ?? 0) > 0 ? id : undefined
}
