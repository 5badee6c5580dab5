import type { Code } from '@pith-mcp/code'
import type { z } from 'zod'
import { toolSchema } from './tool-schema.ts'

/** What a tool answers: text for the model, and about it, for programs, figures and names. */
export interface Reply {
  text: string
  /** Never the text again. */
  data: Record<string, unknown>
}

export interface Call {
  signal?: AbortSignal
  onProgress?(done: number, total: number): void
  locale: 'en' | 'ja'
}

/** One MCP tool: what the model is told of it, and how it is answered. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  description: string
  input: Input
  /** The same as it is offered, made once for all clients. */
  schema: ReturnType<typeof toolSchema>
  /** Errors of the library pass through. */
  answer(input: z.output<Input>, code: Code, call: Call): Promise<Reply>
}

/** Ties the type of `answer`'s input to the schema. */
export const defineTool = <Input extends z.ZodObject>(
  tool: Omit<Tool<Input>, 'schema'>,
): Tool<Input> => ({ ...tool, schema: toolSchema(tool.input) })
