import { type Fields, isFields } from './message.ts'

/** Under these, names are the author's and values are schemas. */
const maps = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])
/** Under these, values are no schemas. */
const data = new Set(['const', 'enum', 'default', 'examples', 'required', 'type'])

/**
 * A copy of a JSON Schema without patterns of its author, which can take for ever, and without its
 * id, which another schema may have too. What it still says is as it was; the server checks the rest.
 */
export function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns)
  if (!isFields(schema)) return schema
  const copy: Fields = {}
  // Which names the patterns allow is not known without them.
  const isOpen = schema['patternProperties'] !== undefined
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'pattern' || key === 'patternProperties' || key === '$id' || key === 'format')
      continue
    if (isOpen && (key === 'additionalProperties' || key === 'unevaluatedProperties')) continue
    if (data.has(key)) copy[key] = value
    else if (maps.has(key) && isFields(value))
      copy[key] = Object.fromEntries(
        Object.entries(value).map(([name, part]) => [name, withoutPatterns(part)]),
      )
    else copy[key] = withoutPatterns(value)
  }
  return copy
}
