import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import { valuesAt } from './value-paths.ts'

/** Schemas that are read for one path. */
const maxSchemas = 1_000

const branches = ['allOf', 'anyOf', 'oneOf', 'then', 'else', 'if'] as const

/**
 * The values that a server may take where a path leads to none: what schemas on its way name as
 * default or constant.
 */
export function valuesOfSchema(root: unknown, steps: readonly string[]): unknown[] {
  const values: unknown[] = []
  let schemas = withBranches([root], root)
  for (const [at, step] of steps.entries()) {
    schemas = withBranches(
      schemas.flatMap((schema) => childrenOf(schema, step)),
      root,
    )
    for (const { default: byDefault, const: only, enum: list } of schemas) {
      const single = Array.isArray(list) && list.length === 1 ? list : []
      for (const value of [byDefault, only, ...single])
        if (value !== undefined) values.push(...valuesAt(value, steps.slice(at + 1)).values)
    }
  }
  return values
}

function childrenOf(schema: JsonObject, step: string): unknown[] {
  const { properties, additionalProperties, items, prefixItems } = schema
  if (step === '*')
    return [items, ...[prefixItems ?? []].flat(), ...Object.values(Object(properties))]
  const own =
    isJsonObject(properties) && Object.hasOwn(properties, step) ? properties[step] : undefined
  const [item] = Array.isArray(prefixItems) ? prefixItems.slice(Number(step)) : []
  return [own ?? additionalProperties, /^\d+$/.test(step) ? (item ?? items) : undefined]
}

/** With all that they refer to and combine, as far as they are objects. */
function withBranches(schemas: readonly unknown[], root: unknown): JsonObject[] {
  const found = new Set<JsonObject>()
  const queue = [...schemas]
  for (const schema of queue) {
    if (!isJsonObject(schema) || found.has(schema) || found.size >= maxSchemas) continue
    found.add(schema)
    const { $ref } = schema
    if (typeof $ref === 'string') queue.push(at(root, $ref))
    for (const name of branches) queue.push(...[schema[name]].flat())
  }
  return [...found]
}

/** What a JSON Pointer leads to. */
const at = (root: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, step) => Object(value)[step], root)
