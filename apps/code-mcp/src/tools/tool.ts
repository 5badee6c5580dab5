import type { Code } from '@pith-mcp/code'
import type { z } from 'zod'

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
  /** Errors of the library pass through. */
  answer(input: z.output<Input>, code: Code, call: Call): Promise<Reply>
}

/** Ties the type of `answer`'s input to the schema. */
export const defineTool = <Input extends z.ZodObject>(tool: Tool<Input>): Tool<Input> => tool
