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
  const { properties, additionalProperties } = schema as Record<string, unknown>
  return {
    ...schema,
    title: schema['title'] ?? inWords(key),
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

/** `startTimeoutSeconds`: "Start timeout seconds". */
export const inWords = (key: string): string => {
  const words = key.replace(
    /([a-z])([A-Z])/g,
    (_, a: string, b: string) => `${a} ${b.toLowerCase()}`,
  )
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The value at a path; undefined if there is none. */
export const valueAt = (root: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key)
        ? (at as Record<string, unknown>)[key]
        : undefined,
    root,
  )
