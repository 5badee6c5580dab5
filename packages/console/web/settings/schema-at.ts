import { valueAt } from '@pith-mcp/base/table'

export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * The schema of the object at a path, with only some of its members if they are named. Members get
 * their names in words as titles.
 */
export function schemaAt(
  root: JsonSchema,
  path: readonly string[],
  only?: readonly string[],
): JsonSchema {
  const schema = path.reduce<JsonSchema>((at, key) => {
    const properties = (at['properties'] ?? {}) as Record<string, JsonSchema>
    return properties[key] ?? (at['additionalProperties'] as JsonSchema | undefined) ?? {}
  }, root)
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
  const members = only?.flatMap((key) => properties.filter(([name]) => name === key)) ?? properties
  return {
    ...schema,
    title: '',
    properties: Object.fromEntries(members.map(([key, member]) => [key, titled(key, member)])),
  }
}

function titled(key: string, schema: JsonSchema): JsonSchema {
  const { const: constant, ...rest } = schema
  const { properties, additionalProperties, items } = rest
  return {
    ...rest,
    title: schema['title'] ?? inWords(key),
    // A form fills in a constant; a choice of one word may stay empty.
    ...(constant !== undefined && { enum: [constant] }),
    ...(isSchema(items) &&
      isSchema(items['properties']) && {
        items: { ...titled('', items), title: items['title'] },
      }),
    // Of a list of words, each occurs once.
    ...(valueAt(schema, ['items', 'enum']) !== undefined && { uniqueItems: true }),
    ...(isSchema(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [
          name,
          titled(name, member as JsonSchema),
        ]),
      ),
    }),
    ...(isSchema(additionalProperties) &&
      isSchema(additionalProperties['properties']) && {
        additionalProperties: titled('', additionalProperties),
      }),
  }
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null

/** Where the key itself is no plain word. */
const words: Readonly<Record<string, string>> = {
  args: 'Arguments',
  asks: 'May ask clients',
  by: 'Sandbox',
  cwd: 'Working folder',
  env: 'Variables',
  oauth: 'Sign-in with OAuth',
  per: 'One instance per',
  pin: 'Compare tools with their pins',
  rate: 'Rate limit',
  url: 'URL',
}

/** `startTimeoutSeconds`: "Start timeout seconds". */
export const inWords = (key: string): string => {
  if (words[key] !== undefined) return words[key]
  const text = key.replace(
    /([a-z])([A-Z])/g,
    (_, a: string, b: string) => `${a} ${b.toLowerCase()}`,
  )
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * How fields are shown: a list of texts as lines, unless one of them has several; of words as boxes;
 * what is true or false as a choice, since it may be neither; and values of any names and kinds as
 * JSON.
 */
export function fieldsFor(schema: JsonSchema, value: unknown): Record<string, unknown> {
  const { type, items, properties, additionalProperties } = schema as Record<string, unknown>
  if (type === 'boolean') return { 'ui:widget': 'SwitchWidget' }
  if (type === 'array' && isSchema(items)) return fieldsForList(items, value)
  if (isSchema(additionalProperties) && additionalProperties['anyOf'] !== undefined)
    return { 'ui:field': 'JsonField' }
  const members = isSchema(properties) ? Object.entries(properties) : []
  return {
    ...Object.fromEntries(
      members.map(([key, member]) => [
        key,
        // Of a list, the values of all its items.
        fieldsFor(member as JsonSchema, Array.isArray(value) ? value : valueAt(value, [key])),
      ]),
    ),
    ...(isSchema(additionalProperties) && {
      additionalProperties: fieldsFor(additionalProperties, undefined),
    }),
  }
}

function fieldsForList(items: JsonSchema, value: unknown): Record<string, unknown> {
  if (items['enum'] !== undefined) return { 'ui:widget': 'checkboxes' }
  if (items['type'] === 'object') return { items: fieldsFor(items, value) }
  const isMultiline = JSON.stringify(value ?? '').includes('\\n')
  if (items['type'] !== 'string' || isMultiline) return {}
  return { 'ui:widget': 'LinesWidget', 'ui:help': 'One per line.' }
}
