import type { Code } from '@pith-mcp/code'
import {
  type DefineTool,
  defineTool as define,
  type Tool,
  type ToolCall,
} from '@pith-mcp/server-kit/tools'
import type { z } from 'zod'

/** A request, and the language of the first line of a page. */
export interface CodeCall extends ToolCall {
  locale: 'en' | 'ja'
}

export type CodeTool = Tool<Code, CodeCall>

/** Infers the type of `answer`'s input from the schema. */
export const defineTool: DefineTool<Code, CodeCall> = (definition) =>
  define(definition, inSnakeCase)

/** Other servers call the same parameters `pageToken` and `pageSize`: both are understood. */
function inSnakeCase(value: unknown, { shape }: z.ZodObject): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const isMeant = !Object.hasOwn(shape, key) && Object.hasOwn(shape, snake)
    if (!isMeant) return [[key, one] as const]
    // If both spellings are passed, ours is used.
    return Object.hasOwn(value, snake) ? [] : [[snake, one] as const]
  })
  return Object.fromEntries(entries)
}
