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
        const { success, data, error } = strict.safeParse(args)
        // Wrong arguments are one issue, described in sentences.
        return success
          ? { value: data }
          : { issues: [{ message: argumentProblems(error.issues, args, names) }] }
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
