import { type Fields, isFields } from '../protocol/message.ts'
import { plainName } from '../protocol/plain-name.ts'

export interface Repaired {
  args: unknown
  /** What was changed, one line each. */
  repairs: string[]
}

/**
 * Mend what models get wrong where only one thing can be meant: objects given as JSON text, numbers
 * and truth values given as text, names of parameters in another spelling. Everything else stays.
 */
export function repairArguments(given: unknown, schema: unknown): Repaired {
  const repairs: string[] = []
  const args = repairValue(given ?? {}, schema, 'params', repairs, 0)
  return { args, repairs }
}

const deepest = 8

function repairValue(
  value: unknown,
  schema: unknown,
  path: string,
  repairs: string[],
  depth: number,
): unknown {
  if (!isFields(schema) || depth > deepest) return value
  const mended = retyped(value, schema, path, repairs)
  if (isFields(mended)) return repairObject(mended, schema, path, repairs, depth)
  if (Array.isArray(mended) && isFields(schema['items']))
    return mended.map((item, index) =>
      repairValue(item, schema['items'], `${path}[${index}]`, repairs, depth + 1),
    )
  return mended
}

function repairObject(
  value: Fields,
  schema: Fields,
  path: string,
  repairs: string[],
  depth: number,
): Fields {
  const properties = isFields(schema['properties']) ? schema['properties'] : {}
  // Where other names are allowed, another spelling may be meant as it is.
  const isClosed = schema['additionalProperties'] === false
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const mended: Fields = {}
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

/** The one property that is spelled alike and was not given. */
function sameName(
  key: string,
  properties: Fields,
  value: Fields,
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

function retyped(value: unknown, schema: Fields, path: string, repairs: string[]): unknown {
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
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  }
  return undefined
}

/** A key may be `__proto__`. */
function define(target: Fields, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  })
}
