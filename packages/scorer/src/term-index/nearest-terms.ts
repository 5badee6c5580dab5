import { defined } from '../defined.ts'
import { editDistance } from '../terms/edit-distance.ts'
import { isUnspaced } from '../terms/terms-of.ts'
import type { TermIndex } from './term-index.ts'

/** Weights of similar terms. */
const prefixWeight = 0.6
const typoWeight = 0.3
const maxNearest = 5

/**
 * Terms of the index similar to one that is missing, nearest first: those that begin with it, if it
 * is the last word of a query and may be incomplete; else those one or two letters away with the
 * same first letter. Linear in the number of terms with that letter.
 */
export function nearestTerms<T>(
  index: TermIndex<T>,
  term: string,
  isLast: boolean,
): { id: number; weight: number }[] {
  const live = (id: number): number => index.postings[id]?.live ?? 0
  const hits: { id: number; weight: number; distance: number }[] = []
  const allowed = term.length < 4 ? 0 : term.length < 8 ? 1 : 2
  const isSign = isUnspaced(term)
  const candidates = isSign ? index.names.keys() : index.idsBeginning(term.slice(0, 1))
  for (const id of candidates) {
    const name = defined(index.names[id])
    if (live(id) === 0) continue
    if (isSign) {
      if (name.includes(term)) hits.push({ id, weight: prefixWeight, distance: 0 })
    } else if (isLast && isBegin(term, name)) hits.push({ id, weight: prefixWeight, distance: 0 })
    else if (allowed > 0 && Math.abs(name.length - term.length) <= allowed) {
      const distance = editDistance(term, name, allowed)
      if (distance <= allowed) hits.push({ id, weight: typoWeight / distance, distance })
    }
  }
  return hits
    .sort((a, b) => a.distance - b.distance || live(b.id) - live(a.id) || a.id - b.id)
    .slice(0, maxNearest)
    .map(({ id, weight }) => ({ id, weight }))
}

/** The stemmer may already have shortened an incomplete word: `configurat` and `configur`. */
const isBegin = (term: string, name: string): boolean =>
  (term.length > 1 && name.startsWith(term)) ||
  (name.length >= 5 && term.length - name.length <= 5 && term.startsWith(name))
