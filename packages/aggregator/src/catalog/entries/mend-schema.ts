import { isJsonObject, type JsonObject } from '../../protocol/message.ts'
import { quoteValue } from '../../protocol/quote-value.ts'

/** Keywords whose values are schemas, lists of schemas, and schemas by free names. */
const schemas = new Set(
  'additionalProperties contains else if items not propertyNames then unevaluatedItems unevaluatedProperties'.split(
    ' ',
  ),
)
const lists = new Set('allOf anyOf oneOf prefixItems items'.split(' '))
const maps = new Set('$defs definitions dependentSchemas patternProperties properties'.split(' '))
/** Keywords whose value may be null. */
const nullable = new Set('const default example'.split(' '))

/** What was changed, as `inputSchema.required is null`. */
type Note = (fault: string) => void

/** A definition that cannot be listed without a change of its meaning. */
export class Unlistable extends Error {}

/**
 * The schema of an object, as clients of all revisions accept it, with the same meaning; unchanged
 * parts are the same objects. @throws {Unlistable}
 */
export function mendSchema(given: unknown, path: string, note: Note): JsonObject {
  if (given === undefined || given === null || given === true) {
    note(given === undefined ? `${path} is missing` : `${path} is ${given}`)
    return { type: 'object' }
  }
  if (!isJsonObject(given)) throw new Unlistable(`${path} is ${quoteValue(given)}, not a schema`)
  const schema = mendPart(given, path, note)
  const { type, properties, required, $schema } = schema
  const changes: JsonObject = {}
  if (type !== 'object') {
    changes['type'] = 'object'
    const isMeant = type === undefined || (Array.isArray(type) && type.includes('object'))
    if (!isMeant) throw new Unlistable(`${path}.type is ${quoteValue(type)}, not "object"`)
    note(`${path}.type is ${type === undefined ? 'missing' : quoteValue(type)}`)
  }
  const drop = (key: string, value: unknown): void => {
    changes[key] = undefined
    note(`${path}.${key} is ${quoteValue(value)}`)
  }
  if (Array.isArray(properties) && properties.length === 0) drop('properties', properties)
  else if (properties !== undefined && !isJsonObject(properties))
    throw new Unlistable(`${path}.properties is ${quoteValue(properties)}`)
  if ($schema !== undefined && typeof $schema !== 'string') drop('$schema', $schema)
  const names = Array.isArray(required) ? required.filter((one) => typeof one === 'string') : []
  if (required !== undefined && !Array.isArray(required)) drop('required', required)
  else if (Array.isArray(required) && names.length < required.length) {
    drop('required', required)
    changes['required'] = names
  }
  return withChanges(schema, changes)
}

/** Drops keywords that are null, and makes what stands for a schema one. */
function mendPart(schema: JsonObject, path: string, note: Note): JsonObject {
  const changes: JsonObject = {}
  for (const [key, value] of Object.entries(schema)) {
    const at = `${path}.${key}`
    if (value === null && !nullable.has(key) && !key.startsWith('x-')) {
      note(`${at} is null`)
      changes[key] = undefined
    } else if (maps.has(key) && isJsonObject(value)) {
      const entries = Object.entries(value)
      const mended = entries.map(([name, one]) => [name, mendNamed(one, `${at}.${name}`, note)])
      if (mended.some(([, one], index) => one !== entries[index]?.[1]))
        changes[key] = Object.fromEntries(mended)
    } else if (lists.has(key) && Array.isArray(value)) {
      const mended = value.map((one, index) =>
        isJsonObject(one) ? mendPart(one, `${at}[${index}]`, note) : one,
      )
      if (mended.some((one, index) => one !== value[index])) changes[key] = mended
    } else if (schemas.has(key) && isJsonObject(value)) {
      const mended = mendPart(value, at, note)
      if (mended !== value) changes[key] = mended
    }
  }
  return withChanges(schema, changes)
}

/** Clients of 2025 take objects only in place of the schemas of properties. */
function mendNamed(given: unknown, path: string, note: Note): JsonObject {
  if (isJsonObject(given)) return mendPart(given, path, note)
  if (given !== null && typeof given !== 'boolean')
    throw new Unlistable(`${path} is ${quoteValue(given)}, not a schema`)
  // Both booleans are schemas of JSON Schema: nothing is wrong with the definition.
  if (given === null) note(`${path} is null`)
  return given === false ? { not: {} } : {}
}

/** A copy with the changed members; without those that are undefined. */
export function withChanges(given: JsonObject, changes: JsonObject): JsonObject {
  if (Object.keys(changes).length === 0) return given
  const all = Object.entries({ ...given, ...changes })
  return Object.fromEntries(all.filter(([, value]) => value !== undefined))
}
