import type { Code } from '@pith-mcp/code'
import type { z } from 'zod'
import type { Reply } from '../render/reply.ts'
import { toolSchema } from './tool-schema.ts'

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
