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
      validate: (value: unknown) => validated(strict.safeParse(value), value, names),
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
