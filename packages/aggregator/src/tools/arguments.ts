import { AggregatorError } from '#servers/protocol/aggregator-error'
import { badArgument } from '#servers/protocol/bad-argument'
import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import { quoteValue } from '#servers/protocol/quote-value'
import { repairArguments } from '../call/stages/repair-arguments.ts'
import type { ToolView } from '../catalog/tool-view.ts'
import type { MetaTool } from './meta-tool.ts'

/** Models pass null for missing values. */
export const isAbsent = (value: unknown): boolean => value === undefined || value === null

/**
 * The arguments of one of our tools, with spellings repaired. Unknown arguments are rejected:
 * without them the call would do something else.
 * @throws {AggregatorError} `bad_argument`
 */
export function argumentsFor(tool: MetaTool, input: unknown): JsonObject {
  const { name, inputSchema, alsoTaken = [] } = tool
  const offered = (inputSchema['properties'] ?? {}) as JsonObject
  const properties = { ...Object.fromEntries(alsoTaken.map((key) => [key, {}])), ...offered }
  const schema = { ...inputSchema, properties, additionalProperties: false }
  const { args } = repairArguments(withModules(input, properties), schema)
  const names = (Object.keys(offered).length > 0 ? Object.keys(offered) : alsoTaken).join(', ')
  if (!isJsonObject(args)) throw badArgument('arguments', args, `an object with ${names}`)
  const odd = Object.keys(args).find(
    (key) => !Object.hasOwn(properties, key) && !isAbsent(args[key]),
  )
  if (odd === undefined) return args
  throw new AggregatorError(
    'bad_argument',
    `${name} has no argument ${quoteValue(odd)}. Nothing was done.`,
    `Its arguments are ${names}.`,
  )
}

/** A server may be named as `server`, and several as `servers`. */
function withModules(input: unknown, properties: JsonObject): unknown {
  if (!isJsonObject(input)) return input
  const given: JsonObject = { ...input }
  for (const key of ['server', 'servers']) {
    const named = key.replace('server', 'module')
    if (Object.hasOwn(properties, key) || !Object.hasOwn(properties, named)) continue
    if (isAbsent(given[key]) || !isAbsent(given[named])) continue
    given[named] = given[key]
    delete given[key]
  }
  return given
}

/** Of `call` and `read_more`; one text is taken too. */
export const selectProperty = {
  type: 'array',
  items: { type: 'string' },
  description: 'Fields such as items[].id, a JSONPath, or a text',
} as const

/** A text that is not empty. @throws {AggregatorError} `bad_argument` */
export function words(args: JsonObject, name: string): string {
  const value = args[name]
  if (typeof value === 'string' && value.trim() !== '') return value.trim()
  throw badArgument(name, value, 'a text')
}

/** All accounts of modules with several that a client may use. */
function accountsIn(view: ToolView): string[] {
  const accounts = view.servers.map(({ name }) => view.accountsOf(name))
  return [...new Set(accounts.filter(({ length }) => length > 1).flat())]
}

/** The parameter `account` of a tool that lists tools; empty if no module has accounts. */
export function accountNames(view: ToolView): JsonObject {
  const accounts = accountsIn(view)
  return accounts.length === 0 ? {} : { account: { type: 'string', enum: accounts } }
}

/** The account whose tools are asked for. @throws {AggregatorError} `bad_argument` */
export function accountIn(args: JsonObject, view: ToolView): string | undefined {
  const { account } = args
  if (isAbsent(account)) return undefined
  const accounts = accountsIn(view)
  if (accounts.includes(account as string)) return account as string
  throw badArgument('account', account, accounts.length > 0 ? accounts.join(', ') : 'no account')
}

/** A whole number, limited to the range. @throws {AggregatorError} `bad_argument` */
export function wholeNumber(
  args: JsonObject,
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

/**
 * A list of texts, or a single text; empty if the argument is absent. @throws {AggregatorError}
 * `bad_argument`
 */
export function textsIn(args: JsonObject, name: string): string[] {
  const value = args[name]
  if (isAbsent(value)) return []
  const values = Array.isArray(value) ? value : [value]
  if (values.every((item) => typeof item === 'string' && item.trim() !== ''))
    return (values as string[]).map((item) => item.trim())
  throw badArgument(name, value, 'a name, or a list of names')
}

/** @throws {AggregatorError} `bad_argument` */
export function flag(args: JsonObject, name: string): boolean | undefined {
  const value = args[name]
  if (isAbsent(value)) return undefined
  if (typeof value === 'boolean') return value
  throw badArgument(name, value, 'true or false')
}
