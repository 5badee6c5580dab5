import type { JsonObject } from '#servers/protocol/message'
import { looseName } from './readings.ts'

/** Values that one path may lead to. */
export const maxValues = 1_000

/** `a.b`, `a[0]`, `a[*]`, `a["b.c"]`. */
export const stepsOf = (path: string): string[] =>
  [...path.matchAll(/\["([^"]*)"\]|\[(\d+|\*)\]|([^.[\]]+)/g)].map(
    ([, quoted, index, name]) => quoted ?? index ?? name ?? '',
  )

/**
 * What a path leads to. `isOdd` if a server may read more from the arguments, `isPartial` if one of
 * them lacks it.
 */
export function valuesAt(value: unknown, steps: readonly string[]) {
  let values: unknown[] = [value]
  let isOdd = false
  let isPartial = false
  for (const [at, step] of steps.entries()) {
    if (values.length > maxValues) break
    isOdd ||= values.some((holder) => mayHold(holder, steps.slice(at)))
    values = values.flatMap((holder) => {
      if (typeof holder === 'object' && holder !== null) {
        if (step === '*') return Object.values(holder)
        if (Object.hasOwn(holder, step)) return [(holder as JsonObject)[step]]
      }
      isPartial = true
      return []
    })
  }
  return { values, isOdd, isPartial }
}

/** Names that lead a careless server to what every object has. */
const inherited = ['__proto__', 'constructor', 'prototype']

/**
 * Servers may read JSON in texts, one value as a list and reverse, names in any case, and a name for
 * several steps, as in `a.b`, `a[b]` and `a_b`.
 */
function mayHold(holder: unknown, steps: readonly string[]): boolean {
  const [step = ''] = steps
  if (holder === undefined || holder === null) return false
  if (typeof holder !== 'object') return true
  if (Array.isArray(holder)) return holder.length > 0 && !/^(?:\d+|\*)$/.test(step)
  // One value for a list of one.
  if (/^\d+$/.test(step) && !Object.hasOwn(holder, step)) return true
  const names = steps.map((_, at) => looseName(steps.slice(0, at + 1).join(' '))).filter(Boolean)
  return Object.keys(holder).some(
    (key) => key !== step && (names.includes(looseName(key)) || inherited.includes(key)),
  )
}
