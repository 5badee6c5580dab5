import { defined } from '../defined.ts'
import type { TermIndex } from '../term-index/term-index.ts'
import { stemOf } from '../terms/stem.ts'
import type { Slot } from './slots.ts'

/** The matched terms of an item, each once. */
export function foundTermsOf<T>(
  index: TermIndex<T>,
  item: number,
  slots: readonly Slot[],
): string[] {
  const itemTermIds = new Set(index.sequencesOf(item).flatMap((ids) => [...ids]))
  const queryTermIds = slots.flatMap(({ alternatives }) => alternatives.map(({ id }) => id))
  return [...new Set(queryTermIds)]
    .filter((id) => itemTermIds.has(id))
    .map((id) => defined(index.names[id]))
}

/** Why an item matched, field by field. */
export function reasonsOf<T>(index: TermIndex<T>, item: number, slots: readonly Slot[]): string[] {
  const queryTermIds = slots.flatMap(({ alternatives }) => alternatives.map(({ id }) => id))
  return index.fields.flatMap(({ name }, at) => {
    const sequence = index.sequenceOf(item, at)
    const counts = [...new Set(queryTermIds)].flatMap((id) => {
      const count = sequence.filter((termId) => termId === id).length
      return count === 0 ? [] : [[defined(index.names[id]), count] as const]
    })
    return counts
      .filter(([term]) => !isJoinedOf(term, counts))
      .map(([term, count]) => (count === 1 ? `${name}: ${term}` : `${name}: ${count} × ${term}`))
  })
}

/** True for a name whose parts are there as well: of `read_file`, `read` and `file` say it. */
const isJoinedOf = (term: string, counts: readonly (readonly [string, number])[]): boolean =>
  counts.some(
    ([first]) =>
      term.startsWith(first) && counts.some(([second]) => stemOf(first + second) === term),
  )
