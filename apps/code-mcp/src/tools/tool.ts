import type { Code } from '@pith-mcp/code'
import type { z } from 'zod'
import type { Reply } from '../render/reply.ts'
import { toolSchema } from './tool-schema.ts'

export interface Call {
  signal?: AbortSignal
  onProgress?(done: number, total: number): void
  locale: 'en' | 'ja'
}

/** One MCP tool: its description for the model, and its implementation. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  description: string
  input: Input
  /** The schema of `input`, created once for all clients. */
  schema: ReturnType<typeof toolSchema>
  /** Errors of the library pass through. */
  answer(input: z.output<Input>, code: Code, call: Call): Promise<Reply>
}

/** Infers the type of `answer`'s input from the schema. */
export const defineTool = <Input extends z.ZodObject>(
  tool: Omit<Tool<Input>, 'schema'>,
): Tool<Input> => ({ ...tool, schema: toolSchema(tool.input) })
