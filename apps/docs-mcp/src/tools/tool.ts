import type { CallOptions, Docs } from '@pith-mcp/docs'
import type { z } from 'zod'

/** One MCP tool: what the model is told of it, and how it is answered. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  description: string
  input: Input
  /** The reply as Markdown. Errors of the library pass through. */
  answer(input: z.output<Input>, docs: Docs, call: CallOptions): Promise<string>
}

/** Ties the type of `answer`'s input to the schema. */
export const defineTool = <Input extends z.ZodObject>(tool: Tool<Input>): Tool<Input> => tool
