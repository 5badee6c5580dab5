import { AggregatorError } from '#servers/protocol/aggregator-error'
import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import { quoteValue } from '#servers/protocol/quote-value'
import type { Results } from '../results/results.ts'
import { isRounded } from '../results/select.ts'

/** Characters that stored results add to the arguments of a call, as JSON. */
const maxLength = 1_000_000

/** A value of a stored result. It is sent as it is: nothing in it is a handle or a reference. */
export class StoredValue {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

/** True if a value has handles or escaped ones. */
const hasHandles = (value: unknown): boolean =>
  isHandle(value) || isEscaped(value) || valuesWithin(value).some(hasHandles)

/**
 * Replaces each `{"$result": "<handle>", "path": "$.items[0].id"}` by the value of that stored result.
 * `{"$literal": {"$result": …}}` is the object itself.
 * @throws {AggregatorError} `unknown_result`; `bad_argument` for a path that has not one value, and
 *   for values that are too long. Nothing was called.
 */
export async function withStored(
  params: unknown,
  results: Pick<Results, 'value'>,
): Promise<unknown> {
  let length = 0
  async function replaced(value: unknown): Promise<unknown> {
    if (isEscaped(value)) return new StoredValue(value['$literal'])
    if (!isHandle(value)) return mapMembers(value, replaced)
    const { $result: id, path, ...others } = value
    const [other] = Object.keys(others)
    if (
      typeof id !== 'string' ||
      other !== undefined ||
      !['string', 'undefined'].includes(typeof (path ?? undefined))
    )
      throw wrong(value, 'A handle has a text "$result", and "path" if need be')
    const stored = await results.value(id, (path ?? undefined) as string | undefined)
    if (isRounded(stored)) throw wrong(value, 'It has a number with more than 15 digits')
    length += JSON.stringify(stored).length
    if (length > maxLength)
      throw wrong(value, `Stored results add more than ${maxLength} characters`)
    return new StoredValue(stored)
  }
  return hasHandles(params) ? replaced(params) : params
}

/** Arguments as they are sent. */
export function unwrapped(value: unknown): unknown {
  if (value instanceof StoredValue) return value.value
  if (Array.isArray(value)) return value.map(unwrapped)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unwrapped(item)]))
}

type Handle = JsonObject & { $result: unknown }

const isHandle = (value: unknown): value is Handle =>
  isJsonObject(value) && Object.hasOwn(value, '$result')

/** Databases have an operator of this name, which is sent as it is. */
const isEscaped = (value: unknown): value is JsonObject =>
  isJsonObject(value) &&
  Object.keys(value).length === 1 &&
  (isHandle(value['$literal']) || isEscaped(value['$literal']))

const valuesWithin = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : []

async function mapMembers(
  value: unknown,
  map: (member: unknown) => Promise<unknown>,
): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value
  // One after the other: what they add is counted.
  const mapped: [string, unknown][] = []
  for (const [key, member] of Object.entries(value)) mapped.push([key, await map(member)])
  return Array.isArray(value) ? mapped.map(([, member]) => member) : Object.fromEntries(mapped)
}

const wrong = (value: JsonObject, fault: string): AggregatorError =>
  new AggregatorError(
    'bad_argument',
    `${quoteValue(JSON.stringify(value))} cannot be used: ${fault}. Nothing was called.`,
    'Write {"$result": "r…", "path": "$.items[0].id"}; {"$literal": …} passes such an object as it is.',
  )
