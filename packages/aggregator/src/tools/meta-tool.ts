import type { Limits } from '../call/limits/limits.ts'
import type { Results } from '../call/results/results.ts'
import type { Gateway } from '../catalog/gateway.ts'
import type { ToolView } from '../catalog/tool-view.ts'
import type { ValidateArguments } from '../protocol/json-schema.ts'
import type { JsonObject } from '../protocol/message.ts'
import type { RequestContext } from '../protocol/request-context.ts'
import type { BatchLimits } from './batch/batch-limits.ts'
import type { ToolSearch } from './search/tool-search.ts'

/** Dependencies of our own tools. */
export interface ToolDeps {
  gateway: Gateway
  results: Results
  batchLimits: BatchLimits
  validate: ValidateArguments
  limits: Limits
  toolSearch: ToolSearch
}

/** One of our own tools, which lead to the tools of the servers. */
export interface MetaTool {
  name: string
  description: (view: ToolView) => string
  inputSchema: JsonObject
  /** Parameters that are only added for certain views. */
  addedProperties?: (view: ToolView) => JsonObject
  /** Accepted arguments that are not in the schema. */
  alsoTaken?: readonly string[]
  annotations: JsonObject
  /** Also listed in mode `list`. */
  isForLists?: boolean
  /**
   * A result of any length; the caller pages it. Rejects with an `AggregatorError` for faults that
   * the client can correct.
   */
  answer: (args: JsonObject, context: RequestContext, deps: ToolDeps) => Promise<JsonObject>
}

/** It changes nothing and reaches no external service. */
export const readsOnly = { readOnlyHint: true, openWorldHint: false } as const

/** It can do whatever the called tools do. */
export const doesAnything = {
  readOnlyHint: false,
  destructiveHint: true,
  openWorldHint: true,
} as const

export const textResult = (text: string): JsonObject => ({ content: [{ type: 'text', text }] })
