import { z } from 'zod'

/**
 * The schema of a tool's parameters as a server offers it. Parameters that there are not are refused:
 * without them the call would do something else. A list of tools is paid for on every turn, so it has
 * no keyword that says nothing: the dialect is the default one.
 */
export function toolSchema(input: z.ZodObject) {
  const names = Object.keys(input.shape).join(', ')
  const strict = z.strictObject(input.shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `there is no parameter ${issue.keys.join(', ')}; there are ${names}`
        : undefined,
  })
  const standard = strict['~standard']
  return {
    '~standard': {
      ...standard,
      validate: (value: unknown) => standard.validate(inSnakeCase(value, input.shape)),
      jsonSchema: {
        ...standard.jsonSchema,
        input(options: Parameters<typeof standard.jsonSchema.input>[0]) {
          const {
            $schema: _,
            additionalProperties: __,
            ...schema
          } = standard.jsonSchema.input(options)
          return schema
        },
      },
    },
  }
}

/** Other servers call the same parameters `pageToken` and `pageSize`: both are understood. */
function inSnakeCase(value: unknown, shape: object): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const isMeant = !Object.hasOwn(shape, key) && Object.hasOwn(shape, snake)
    if (!isMeant) return [[key, one] as const]
    // Given both ways, that of ours counts.
    return Object.hasOwn(value, snake) ? [] : [[snake, one] as const]
  })
  return Object.fromEntries(entries)
}
