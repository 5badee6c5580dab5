import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { argumentProblems } from './argument-problems.ts'

/** The parameters of a tool, as the SDK takes them. */
export type ToolSchema = StandardSchemaWithJSON<unknown, Record<string, unknown>>

/**
 * The schema of a tool's parameters. Unknown parameters are rejected, because ignoring them would
 * change the meaning of a call. Keywords without information are removed to save tokens; the
 * dialect is the default one. `rename` may change the names of arguments before they are validated.
 */
export function toolSchema(
  input: z.ZodObject,
  rename: (args: unknown, input: z.ZodObject) => unknown = (args) => args,
): ToolSchema {
  const names = Object.keys(input.shape)
  const strict = z.strictObject(input.shape)
  const standard = strict['~standard']
  return {
    '~standard': {
      ...standard,
      validate(value: unknown) {
        const args = rename(value, input)
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
