import { type SpecTypeName, specTypeSchemas } from '@modelcontextprotocol/client'
import { isJsonObject, type JsonObject } from './message.ts'
import { quoteValue } from './quote-value.ts'

type Path = readonly PropertyKey[]

/** Invalid members of one value. */
const maxDropped = 200

/**
 * The value without members that MCP does not allow in its type, as if they were absent. Undefined
 * if one of them is required.
 */
export function withoutInvalid(
  type: SpecTypeName,
  value: JsonObject,
  note: (fault: string) => void = () => {},
): JsonObject | undefined {
  let mended: unknown = value
  for (let dropped = 0; dropped < maxDropped && isJsonObject(mended); dropped++) {
    const { issues } = specTypeSchemas[type]['~standard'].validate(mended)
    if (issues === undefined) return mended
    const path = (issues[0]?.path ?? []) as Path
    const member = path.reduce<unknown>(
      (at, key) => (at as JsonObject | undefined)?.[String(key)],
      mended,
    )
    note(`${path.join('.')} is ${describeValue(member)}`)
    // A missing member makes invalid what it is missing in.
    mended = without(mended, member === undefined ? path.slice(0, -1) : path)
  }
  return undefined
}

export const describeValue = (value: unknown): string =>
  value === undefined ? 'missing' : quoteValue(value)

function without(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return undefined
  if (Array.isArray(value))
    return value.flatMap((item, index) => (index === key ? inPlace(without(item, rest)) : [item]))
  const entries = Object.entries(value as JsonObject)
  return Object.fromEntries(
    entries.flatMap(([name, field]) =>
      name === key ? inPlace(without(field, rest)).map((next) => [name, next]) : [[name, field]],
    ),
  )
}

const inPlace = (value: unknown): unknown[] => (value === undefined ? [] : [value])
