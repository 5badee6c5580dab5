import type { CallOptions, Docs } from '@pith-mcp/docs'
import { type DefineTool, defineTool as define, type Tool } from '@pith-mcp/server-kit/tools'

export type DocsTool = Tool<Docs, CallOptions>

/** Infers the type of `answer`'s input from the schema. */
export const defineTool: DefineTool<Docs, CallOptions> = (definition) => define(definition)

/** The tools of a server and its instructions for the model. */
export interface ToolSet {
  tools: readonly DocsTool[]
  instructions: string
}
