import type { z } from 'zod'
import { type ToolSchema, toolSchema } from './tool-schema.ts'

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
  /** Errors of the library pass through. */
  answer(input: z.output<Input>, library: Library, call: Call): Promise<Reply>
}

/** A tool of a server whose tools use an opened `Library`. */
export interface Tool<Library, Call = ToolCall> extends ToolDefinition<Library, Call, z.ZodObject> {
  /** The schema of `input`, created once for all clients. */
  schema: ToolSchema
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
