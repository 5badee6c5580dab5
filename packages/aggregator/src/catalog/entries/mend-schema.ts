import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import { describeValue } from '#servers/protocol/without-invalid'
import { data, maps } from '#servers/protocol/without-patterns'

/** What was changed, as `inputSchema.required is null`. */
type Note = (fault: string) => void

/** No client could be told what this definition means. */
export class NoSchema extends Error {
  constructor(path: string, value: unknown) {
    super(`${path} is ${describeValue(value)}, which is not a schema for objects`)
  }
}

/**
 * The schema of an object in a form that clients of all revisions accept, with the same meaning;
 * unchanged parts are the same objects. @throws {NoSchema}
 */
export function mendSchema(source: unknown, path: string, note: Note): JsonObject {
  if (source === undefined || source === null || source === true) {
    note(`${path} is ${describeValue(source)}`)
    return { type: 'object' }
  }
  if (!isJsonObject(source)) throw new NoSchema(path, source)
  const schema = withoutNulls(source, path, note)
  const { type, properties, required, $schema } = schema
  if (![type ?? 'object'].flat().includes('object')) throw new NoSchema(`${path}.type`, type)
  const isEmpty = Array.isArray(properties) && properties.length === 0
  if (!isEmpty && !isJsonObject(properties ?? {}))
    throw new NoSchema(`${path}.properties`, properties)
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  const isHealthy = Array.isArray(required) && names.length === required.length
  const healthy: JsonObject = {
    type: 'object',
    properties: isEmpty ? undefined : properties,
    required: isHealthy ? required : names.length > 0 ? names : undefined,
    $schema: typeof $schema === 'string' ? $schema : undefined,
  }
  const changed = Object.keys(healthy).filter((key) => healthy[key] !== schema[key])
  for (const key of changed) note(`${path}.${key} is ${describeValue(schema[key])}`)
  return changed.length === 0 ? schema : defined({ ...schema, ...healthy })
}

const nullable = new Set(['const', 'default', 'example'])
const isOwn = (key: string): boolean => key.startsWith('x-') || nullable.has(key)

/** Without keywords that are null; clients of 2025 take objects only as schemas of properties. */
function withoutNulls(schema: JsonObject, path: string, note: Note): JsonObject {
  const mended = Object.entries(schema).map(([key, value]) => {
    const at = `${path}.${key}`
    if (value === null && !isOwn(key)) note(`${at} is null`)
    if (value === null) return [key, isOwn(key) ? null : undefined] as const
    if (isOwn(key) || data.has(key)) return [key, value] as const
    if (maps.has(key) && isJsonObject(value)) return [key, namedIn(value, at, note)] as const
    if (isJsonObject(value)) return [key, withoutNulls(value, at, note)] as const
    if (!Array.isArray(value)) return [key, value] as const
    const all = value.map((member, index) =>
      isJsonObject(member) ? withoutNulls(member, `${at}.${index}`, note) : member,
    )
    return [key, all.every((member, index) => member === value[index]) ? value : all] as const
  })
  const isSame = mended.every(([key, value]) => value === schema[key])
  return isSame ? schema : defined(Object.fromEntries(mended))
}

function namedIn(schemas: JsonObject, path: string, note: Note): JsonObject {
  const mended = Object.entries(schemas).map(([name, schema]) => {
    const at = `${path}.${name}`
    if (schema === null) note(`${at} is null`)
    if (isJsonObject(schema)) return [name, withoutNulls(schema, at, note)] as const
    if (schema !== null && typeof schema !== 'boolean') throw new NoSchema(at, schema)
    return [name, schema === false ? { not: {} } : {}] as const
  })
  const isSame = mended.every(([name, schema]) => schema === schemas[name])
  return isSame ? schemas : Object.fromEntries(mended)
}

export const defined = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
