import type { View } from '../catalog/view.ts'
import type { Exchange } from '../relay/exchange.ts'
import type { Serving } from '../requests/serving.ts'
import type { Fields } from '../upstream/connection.ts'

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
  answer: (args: Fields, exchange: Exchange, serving: Serving) => Promise<Fields>
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
