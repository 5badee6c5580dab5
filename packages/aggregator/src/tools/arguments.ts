import { AggregatorError } from '../protocol/aggregator-error.ts'
import { type Fields, isFields } from '../protocol/message.ts'
import { shown } from '../protocol/shown.ts'
import type { MetaTool } from './meta-tool.ts'
import { repairArguments } from './repair-arguments.ts'

/** What a model gives for nothing. */
export const isAbsent = (value: unknown): boolean => value === undefined || value === null

/**
 * What is given to one of our tools, other spellings mended. Nothing is passed over: a call without
 * what was given by a wrong name would do something else.
 * @throws {AggregatorError} `bad_argument`
 */
export function argumentsFor(tool: MetaTool, given: unknown): Fields {
  const { name, inputSchema, alsoTaken = [] } = tool
  const offered = inputSchema['properties'] as Fields
  const properties = { ...Object.fromEntries(alsoTaken.map((taken) => [taken, {}])), ...offered }
  const schema = { ...inputSchema, properties, additionalProperties: false }
  const { args } = repairArguments(given, schema)
  const names = Object.keys(offered).join(', ')
  if (!isFields(args)) throw badArgument('arguments', args, `an object with ${names}`)
  const odd = Object.keys(args).find(
    (key) => !Object.hasOwn(properties, key) && !isAbsent(args[key]),
  )
  if (odd === undefined) return args
  throw new AggregatorError(
    'bad_argument',
    `${name} has no argument ${shown(odd)}; nothing was done.`,
    `Its arguments: ${names}.`,
  )
}

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
  if (isAbsent(value)) return undefined
  const number = typeof value === 'string' ? Number(value) : value
  if (Number.isInteger(number)) return Math.min(most, Math.max(least, number as number))
  throw badArgument(name, value, `a whole number from ${least} to ${most}`)
}

/** Texts, or one of them alone; none if nothing is given. @throws {AggregatorError} `bad_argument` */
export function textsIn(args: Fields, name: string): string[] {
  const value = args[name]
  if (isAbsent(value)) return []
  const values = Array.isArray(value) ? value : [value]
  if (values.every((item) => typeof item === 'string' && item.trim() !== ''))
    return (values as string[]).map((item) => item.trim())
  throw badArgument(name, value, 'names')
}

/** @throws {AggregatorError} `bad_argument` */
export function flag(args: Fields, name: string): boolean | undefined {
  const value = args[name]
  if (isAbsent(value)) return undefined
  if (typeof value === 'boolean') return value
  throw badArgument(name, value, 'true or false')
}

export function badArgument(name: string, value: unknown, wanted: string): AggregatorError {
  const fault = value === undefined ? 'is missing' : `${shown(value)} is wrong`
  return new AggregatorError('bad_argument', `${name} ${fault}.`, `Give ${wanted}.`)
}
