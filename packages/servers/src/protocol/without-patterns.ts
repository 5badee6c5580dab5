import { isJsonObject, type JsonObject } from './message.ts'

/** Keywords whose keys are free names and whose values are schemas. */
export const maps: ReadonlySet<string> = new Set([
  'properties',
  '$defs',
  'definitions',
  'dependentSchemas',
])
/** Keywords whose values are not schemas. */
export const data: ReadonlySet<string> = new Set([
  'const',
  'enum',
  'default',
  'examples',
  'required',
  'type',
])

/**
 * Copies a JSON Schema without `pattern`, `format` and `$id`: a pattern can take exponential time,
 * and two schemas may share an id. The server checks what is lost.
 */
export function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns)
  if (!isJsonObject(schema)) return schema
  const copy: JsonObject = {}
  // Without the patterns it is unknown which names they allow.
  const isOpen = schema['patternProperties'] !== undefined
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'pattern' || key === 'patternProperties' || key === '$id' || key === 'format')
      continue
    if (isOpen && (key === 'additionalProperties' || key === 'unevaluatedProperties')) continue
    if (data.has(key)) copy[key] = value
    else if (maps.has(key) && isJsonObject(value))
      copy[key] = Object.fromEntries(
        Object.entries(value).map(([name, part]) => [name, withoutPatterns(part)]),
      )
    else copy[key] = withoutPatterns(value)
  }
  return copy
}
