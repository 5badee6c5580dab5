import type { CallOptions, Docs } from '@pith-mcp/docs'
import type { z } from 'zod'
import { toolSchema } from './tool-schema.ts'

/** What a tool answers: Markdown for the model, and about it, for programs, figures and names. */
interface Reply {
  text: string
  /** Never the text again. */
  data: Record<string, unknown>
}

/** What the server was started with, as far as it decides which tools are of use. */
interface Capabilities {
  /** There is something to search: a source, or the web, on which any site may be named. */
  search: boolean
}

/** One MCP tool: what the model is told of it, and how it is answered. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  description: string
  input: Input
  /** The same as it is offered, made once for all clients. */
  schema: ReturnType<typeof toolSchema>
  /** Whether it is listed. Default: always. */
  isServable?(capabilities: Capabilities): boolean
  /** Errors of the library pass through. */
  answer(input: z.output<Input>, docs: Docs, call: CallOptions): Promise<Reply>
}

/** Ties the type of `answer`'s input to the schema. */
export const defineTool = <Input extends z.ZodObject>(
  tool: Omit<Tool<Input>, 'schema'>,
): Tool<Input> => ({ ...tool, schema: toolSchema(tool.input) })

/** What a server offers, and tells a model of it when it connects. */
export interface ToolSet {
  tools: readonly Tool[]
  instructions: string
}
