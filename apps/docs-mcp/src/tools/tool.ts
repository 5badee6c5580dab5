import type { CallOptions, Docs } from '@pith-mcp/docs'
import type { z } from 'zod'
import { toolSchema } from './tool-schema.ts'

/** The result of a tool: Markdown for the model; figures and names for programs. */
interface Reply {
  text: string
  /** Must not repeat the text. */
  data: Record<string, unknown>
}

/** Properties of the server that decide which tools it offers. */
interface Capabilities {
  /** True if there is something to search: a source, or any site of the web. */
  search: boolean
}

/** One MCP tool: its description for the model, and its implementation. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  description: string
  input: Input
  /** The schema of `input`, created once for all clients. */
  schema: ReturnType<typeof toolSchema>
  /** Whether the tool is listed. Default: always. */
  isServable?(capabilities: Capabilities): boolean
  /** Errors of the library pass through. */
  answer(input: z.output<Input>, docs: Docs, call: CallOptions): Promise<Reply>
}

/** Infers the type of `answer`'s input from the schema. */
export const defineTool = <Input extends z.ZodObject>(
  tool: Omit<Tool<Input>, 'schema'>,
): Tool<Input> => ({ ...tool, schema: toolSchema(tool.input) })

/** The tools of a server and its instructions for the model. */
export interface ToolSet {
  tools: readonly Tool[]
  instructions: string
}
