import type { Code } from '@pith-mcp/code'
import {
  type DefineTool,
  defineTool as define,
  type Tool,
  type ToolCall,
} from '@pith-mcp/server-kit/tools'
import { inSnakeCase } from './in-snake-case.ts'

/** A request, and the language of the first line of a page. */
export interface CodeCall extends ToolCall {
  locale: 'en' | 'ja'
}

export type CodeTool = Tool<Code, CodeCall>

/** Infers the type of `answer`'s input from the schema. */
export const defineTool: DefineTool<Code, CodeCall> = (definition) =>
  define(definition, inSnakeCase)
