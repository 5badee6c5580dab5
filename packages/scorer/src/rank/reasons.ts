import { defined } from '../defined.ts'
import type { TermIndex } from '../term-index/term-index.ts'
import type { Slot } from './slots.ts'

/** The matched terms of an item, each once. */
export function foundTermsOf<T>(
  index: TermIndex<T>,
  item: number,
  slots: readonly Slot[],
): string[] {
  const own = new Set(index.sequencesOf(item).flatMap((ids) => [...ids]))
  const queryTermIds = slots.flatMap(({ alternatives }) => alternatives.map(({ id }) => id))
  return [...new Set(queryTermIds)]
    .filter((id) => own.has(id))
    .map((id) => defined(index.names[id]))
}

/** Why an item matched, field by field. */
export function reasonsOf<T>(index: TermIndex<T>, item: number, slots: readonly Slot[]): string[] {
  const queryTermIds = slots.flatMap(({ alternatives }) => alternatives.map(({ id }) => id))
  return index.fields.flatMap(({ name }, at) => {
    const sequence = index.sequenceOf(item, at)
    return [...new Set(queryTermIds)].flatMap((id) => {
      let count = 0
      for (const other of sequence) if (other === id) count++
      if (count === 0) return []
      const term = index.names[id]
      return [count === 1 ? `${name}: ${term}` : `${name}: ${count} × ${term}`]
    })
  })
}
