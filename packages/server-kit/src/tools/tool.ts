import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { problemText, quote, requirement } from '../describe-issue.ts'

/** The result of a tool: text for the model; figures and names for programs. */
export interface Reply {
  text: string
  /** Must not repeat the text. */
  data: Record<string, unknown>
}

/** The request that a tool answers. */
export interface ToolCall {
  signal?: AbortSignal
  /** Absent if the client does not want progress; a `total` of 0 is not known yet. */
  onProgress?(progress: { done: number; total: number }): void
}

/** A tool as it is written: its description for the model, its parameters and its implementation. */
export interface ToolDefinition<Library, Call, Input extends z.ZodObject> {
  name: string
  description: string
  /** Listed for models from the start by clients that hide tools until they are searched for. */
  isEntry?: boolean
  input: Input
  /** The structured content of its replies: their data, and the text as `content`. Default none. */
  output?: z.ZodObject
  /** Errors of the library pass through. */
  answer(input: z.output<Input>, library: Library, call: Call): Promise<Reply>
}

/** A tool of a server whose tools use an opened `Library`. */
export interface Tool<Library, Call = ToolCall> extends ToolDefinition<Library, Call, z.ZodObject> {
  /** The schema of `input`, created once for all clients. */
  schema: ToolSchema
}

/** The tools of a server, and its instructions for the model. */
export interface ToolSet<Library, Call = ToolCall> {
  tools: readonly Tool<Library, Call>[]
  instructions: string
}

/** {@link defineTool} for the tools of one server; the type of `answer`'s input is inferred. */
export type DefineTool<Library, Call = ToolCall> = <Input extends z.ZodObject>(
  definition: ToolDefinition<Library, Call, Input>,
) => Tool<Library, Call>

/** A tool with its schema; for `rename` see {@link toolSchema}. */
export const defineTool = <Library, Call, Input extends z.ZodObject>(
  definition: ToolDefinition<Library, Call, Input>,
  rename?: Parameters<typeof toolSchema>[1],
): Tool<Library, Call> => ({
  // `answer` gets what `schema` has validated.
  ...(definition as unknown as ToolDefinition<Library, Call, z.ZodObject>),
  schema: toolSchema(definition.input, rename),
})

/** The parameters of a tool, as the SDK takes them. */
type ToolSchema = StandardSchemaWithJSON<unknown, Record<string, unknown>>

/**
 * The schema of a tool's parameters. Unknown parameters are rejected, because ignoring them would
 * change the meaning of a call. Keywords without information are removed to save tokens; the
 * dialect is the default one. `rename` may change the names of arguments before they are validated.
 */
function toolSchema(
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

type Issue = z.core.$ZodIssue

/** Sentences about the wrong arguments of a call. */
export function argumentProblems(
  issues: readonly Issue[],
  args: unknown,
  names: readonly string[],
): string {
  return issues
    .map((issue) => {
      if (issue.code === 'unrecognized_keys') return unknownParameters(issue.keys, names)
      const name = issue.path.map(String).join('.')
      const value = valueAt(args, issue.path)
      if (value === undefined) return `${name} is required and ${requirement(issue)}.`
      return problemText(name, issue, value)
    })
    .join(' ')
}

function unknownParameters(keys: readonly string[], names: readonly string[]): string {
  const unknown = keys.map(quote).join(' or ')
  return `There is no parameter ${unknown}. The parameters are ${names.join(', ')}.`
}

/** The value at a path, or the innermost one on it, such as a list in a JSON string. */
function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  let value = args
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return value
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}
