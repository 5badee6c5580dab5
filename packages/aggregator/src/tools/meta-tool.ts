import type { Limits } from '../call/limits/limits.ts'
import type { Results } from '../call/results/results.ts'
import type { Gateway } from '../catalog/gateway.ts'
import type { View } from '../catalog/view.ts'
import type { Exchange } from '../protocol/exchange.ts'
import type { ValidateArguments } from '../protocol/json-schema.ts'
import type { Fields } from '../protocol/message.ts'
import type { BatchLimits } from './batch/batch-limits.ts'
import type { ToolSearch } from './search/tool-search.ts'

/** What our own tools work with. */
export interface ToolServing {
  gateway: Gateway
  results: Results
  batchLimits: BatchLimits
  validate: ValidateArguments
  limits: Limits
  toolSearch: ToolSearch
}

/** A tool of our own, which leads to those of the servers. */
export interface MetaTool {
  name: string
  description: (view: View) => string
  inputSchema: Fields
  /** More parameters, where what can be seen has a need of them. */
  addedProperties?: (view: View) => Fields
  /** Arguments that are understood without being offered. */
  alsoTaken?: readonly string[]
  annotations: Fields
  /** Offered beside the tools of the servers too, in `list`. */
  isForLists?: boolean
  /** A result of `tools/call`, of any length: whoever asks makes it fit. Rejects with `AggregatorError` for what the caller can mend. */
  answer: (args: Fields, exchange: Exchange, serving: ToolServing) => Promise<Fields>
}

/** Nothing changes by it, and nothing outside is asked. */
export const readsOnly = { readOnlyHint: true, openWorldHint: false } as const

/** Whatever tools do that are called by it. */
export const doesAnything = {
  readOnlyHint: false,
  destructiveHint: true,
  openWorldHint: true,
} as const

export const textResult = (text: string): Fields => ({ content: [{ type: 'text', text }] })
