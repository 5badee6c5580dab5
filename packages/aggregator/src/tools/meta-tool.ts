import type { ServingSettings } from '#servers/config/aggregator-settings'
import type { JsonObject } from '#servers/protocol/message'
import type { ServerCallDeps } from '../call/pipeline.ts'
import type { MetaToolCall } from '../call/stages/bound-meta-tool.ts'
import type { ToolView } from '../catalog/tool-view.ts'
import type { BatchLimits } from './batch/batch-limits.ts'
import type { ToolSearch } from './search/tool-search.ts'

/** Dependencies of our own tools. */
export interface ToolDeps extends ServerCallDeps {
  batchLimits: BatchLimits
  toolSearch: ToolSearch
  settings: ServingSettings
}

/** One of our own tools, which lead to the tools of the servers. */
export interface MetaTool {
  name: string
  description: (view: ToolView) => string
  /** Without it the tool is always offered. */
  isOffered?: (settings: ServingSettings) => boolean
  inputSchema: JsonObject
  /** Parameters that are only added for certain views. */
  addedProperties?: (view: ToolView) => JsonObject
  /** Accepted arguments that are not in the schema. */
  alsoTaken?: readonly string[]
  annotations: JsonObject
  /** Listed for models from the start by clients that hide tools until they are searched for. */
  isEntry?: boolean
  /** Also listed in mode `list`. */
  isForLists?: boolean
  /**
   * A result of any length; the caller pages it. Rejects with an `AggregatorError` for faults that
   * the client can correct.
   */
  answer: (args: JsonObject, call: MetaToolCall, deps: ToolDeps) => Promise<JsonObject>
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
