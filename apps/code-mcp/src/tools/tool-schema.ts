import { z } from 'zod'
import { argumentProblems } from '../describe-issue.ts'

/**
 * The schema of a tool's parameters. Unknown parameters are rejected, because ignoring them would
 * change the meaning of a call. Keywords without information are removed to save tokens; the
 * dialect is the default one.
 */
export function toolSchema(input: z.ZodObject) {
  const names = Object.keys(input.shape)
  const strict = z.strictObject(input.shape)
  const standard = strict['~standard']
  return {
    '~standard': {
      ...standard,
      validate(value: unknown) {
        const args = inSnakeCase(value, input.shape)
        return validated(strict.safeParse(args), args, names)
      },
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

/** The result for the SDK; wrong arguments are one issue, described in sentences. */
function validated<Output>(
  parsed: z.ZodSafeParseResult<Output>,
  args: unknown,
  names: readonly string[],
) {
  return parsed.success
    ? { value: parsed.data }
    : { issues: [{ message: argumentProblems(parsed.error.issues, args, names) }] }
}

/** Other servers call the same parameters `pageToken` and `pageSize`: both are understood. */
function inSnakeCase(value: unknown, shape: object): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const isMeant = !Object.hasOwn(shape, key) && Object.hasOwn(shape, snake)
    if (!isMeant) return [[key, one] as const]
    // If both spellings are passed, ours is used.
    return Object.hasOwn(value, snake) ? [] : [[snake, one] as const]
  })
  return Object.fromEntries(entries)
}
