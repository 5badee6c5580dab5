import { attempt } from '#base/attempt'
import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import { looseName } from './readings.ts'
import { valuesAt } from './value-paths.ts'

/** Schemas that are read for one path. */
const maxSchemas = 1_000

const branches = ['allOf', 'anyOf', 'oneOf', 'then', 'else', 'if'] as const
/** References that are not looked up: what they lead to is not known. */
const unread = ['$dynamicRef', '$recursiveRef'] as const

/**
 * The values that a server may take where a path leads to none: what schemas on its way name as
 * default or constant. `isUnknown` if one of them refers to what is not read.
 */
export function valuesOfSchema(root: unknown, steps: readonly string[]) {
  const values: unknown[] = []
  let isUnknown = false
  let schemas: unknown[] = [root]
  for (let at = 0; at <= steps.length; at++) {
    const all = withBranches(schemas, root)
    isUnknown ||= all.isUnknown
    for (const { default: byDefault, const: only, enum: list } of all.schemas) {
      const single = Array.isArray(list) && list.length === 1 ? list : []
      for (const value of [byDefault, only, ...single])
        if (value !== undefined) values.push(...valuesAt(value, steps.slice(at)).values)
    }
    schemas = all.schemas.flatMap((schema) => childrenOf(schema, steps[at] ?? ''))
  }
  return { values, isUnknown }
}

function childrenOf(schema: JsonObject, step: string): unknown[] {
  const { properties, additionalProperties, unevaluatedProperties, items, prefixItems } = schema
  if (step === '*')
    return [items, ...[prefixItems ?? []].flat(), ...Object.values(Object(properties))]
  // Names may differ in their spelling.
  const named = Object.entries(Object(properties)).flatMap(([name, inner]) =>
    name === step || looseName(name) === looseName(step) ? [inner] : [],
  )
  const open = [additionalProperties, unevaluatedProperties]
  const byPattern = Object.values(Object(schema['patternProperties']))
  const [item] = Array.isArray(prefixItems) ? prefixItems.slice(Number(step)) : []
  return [...named, ...open, ...byPattern, /^\d+$/.test(step) ? (item ?? items) : undefined]
}

/** With all that they refer to and combine, as far as they are objects. */
function withBranches(schemas: readonly unknown[], root: unknown) {
  let isUnknown = false
  const found = new Set<JsonObject>()
  const queue = [...schemas]
  for (const schema of queue) {
    if (!isJsonObject(schema) || found.has(schema) || found.size >= maxSchemas) continue
    found.add(schema)
    const { $ref } = schema
    const target = typeof $ref === 'string' ? at(root, $ref) : schema
    isUnknown ||= !isJsonObject(target) || unread.some((name) => schema[name] !== undefined)
    queue.push(target, ...Object.values(Object(schema['dependentSchemas'])))
    for (const name of branches) queue.push(...[schema[name]].flat())
  }
  return { schemas: [...found], isUnknown }
}

/** What a JSON Pointer leads to; undefined for an anchor, or another document. */
const at = (root: unknown, pointer: string): unknown => {
  if (!/^#(?:\/|$)/.test(pointer)) return undefined
  return attempt(() => decodeURIComponent(pointer), pointer)
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, step) => Object(value)[step], root)
}
