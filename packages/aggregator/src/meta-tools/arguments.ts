import { AggregatorError } from '../aggregator-error.ts'
import type { Fields } from '../upstream/connection.ts'

/** A text that is not empty. @throws {AggregatorError} `bad_argument` */
export function words(args: Fields, name: string): string {
  const value = args[name]
  if (typeof value === 'string' && value.trim() !== '') return value.trim()
  throw badArgument(name, value, 'a text')
}

/** @throws {AggregatorError} `bad_argument` */
export function wholeNumber(
  args: Fields,
  name: string,
  least: number,
  most: number,
): number | undefined {
  const value = args[name]
  if (value === undefined || value === null) return undefined
  const number = typeof value === 'string' ? Number(value) : value
  if (Number.isInteger(number)) return Math.min(most, Math.max(least, number as number))
  throw badArgument(name, value, `a whole number from ${least} to ${most}`)
}

export function badArgument(name: string, value: unknown, wanted: string): AggregatorError {
  const shown =
    value === undefined ? 'is missing' : `${JSON.stringify(value)?.slice(0, 100)} is wrong`
  return new AggregatorError('bad_argument', `${name} ${shown}.`, `Give ${wanted}.`)
}
