import { attempt } from '#base/attempt'
import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import { plainName } from '#servers/protocol/plain-name'

export interface Repaired {
  args: unknown
  /** What was changed, one line each. */
  repairs: string[]
}

/**
 * Repairs frequent mistakes of models that are unambiguous: objects passed as JSON text, numbers
 * and booleans passed as text, parameter names in another spelling. Everything else is unchanged.
 */
export function repairArguments(params: unknown, schema: unknown): Repaired {
  const repairs: string[] = []
  const args = repairValue(params ?? {}, schema, 'params', repairs, 0)
  return { args, repairs }
}

const maxDepth = 8

function repairValue(
  value: unknown,
  schema: unknown,
  path: string,
  repairs: string[],
  depth: number,
): unknown {
  if (!isJsonObject(schema) || depth > maxDepth) return value
  const mended = retyped(value, schema, path, repairs)
  if (isJsonObject(mended)) return repairObject(mended, schema, path, repairs, depth)
  if (Array.isArray(mended) && isJsonObject(schema['items']))
    return mended.map((item, index) =>
      repairValue(item, schema['items'], `${path}[${index}]`, repairs, depth + 1),
    )
  return mended
}

function repairObject(
  value: JsonObject,
  schema: JsonObject,
  path: string,
  repairs: string[],
  depth: number,
): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  // Where additional properties are allowed, another spelling may be intended.
  const isClosed = schema['additionalProperties'] === false
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const mended: JsonObject = {}
  for (const [key, item] of Object.entries(value)) {
    const name = Object.hasOwn(properties, key)
      ? key
      : (sameName(key, properties, value, isClosed ? undefined : required) ?? key)
    if (name !== key) repairs.push(`${path}.${key} read as ${name}`)
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    define(mended, name, repairValue(item, property, `${path}.${name}`, repairs, depth + 1))
  }
  return mended
}

/** The only missing property with the same name except for spelling. */
function sameName(
  key: string,
  properties: JsonObject,
  value: JsonObject,
  among: ReadonlySet<unknown> | undefined,
): string | undefined {
  if (plainName(key) === '') return undefined
  const alike = Object.keys(properties).filter(
    (name) =>
      plainName(name) === plainName(key) &&
      !Object.hasOwn(value, name) &&
      (among === undefined || among.has(name)),
  )
  return alike.length === 1 ? alike[0] : undefined
}

function retyped(value: unknown, schema: JsonObject, path: string, repairs: string[]): unknown {
  const { type } = schema
  if (typeof value !== 'string' || typeof type !== 'string' || type === 'string') return value
  const parsed = readAs(type, value.trim())
  if (parsed === undefined) return value
  repairs.push(`${path} read as ${type}`)
  return parsed
}

function readAs(type: string, text: string): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text)
  if (type === 'number' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true'
  if (type === 'null' && text === 'null') return null
  if ((type === 'object' && text.startsWith('{')) || (type === 'array' && text.startsWith('['))) {
    return attempt(() => JSON.parse(text), undefined)
  }
  return undefined
}

/** A key may be `__proto__`. */
function define(target: JsonObject, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  })
}
