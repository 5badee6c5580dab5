import type { JsonObject } from '#servers/protocol/message'
import type { RequestContext } from '#servers/protocol/request-context'
import type { ToolView } from '../../catalog/tool-view.ts'
import type { Results } from '../results/results.ts'

/** What a client may call, by the list of tools that it has. */
export interface ToolList {
  /** Tools of servers can be called by their own names. */
  readonly isOpen: boolean
  /** Definitions are unchanged, so that results must be too. */
  readonly isVerbatim: boolean
  /** One of our own tools. */
  metaTool(name: string): BoundMetaTool | undefined
  /** The list of tools. */
  listTools(): JsonObject[]
}

/** One of our own tools, which lead to the tools of the servers. */
export interface BoundMetaTool {
  readonly name: string
  /**
   * A result of any length; the caller pages it. Rejects with an `AggregatorError` for faults that
   * the client can correct.
   */
  answer(args: unknown, call: MetaToolCall): Promise<JsonObject>
}

/** A call of one of our own tools. */
export interface MetaToolCall {
  readonly context: RequestContext
  /** What the client saw when the call began. */
  readonly view: ToolView
  /** The results that the client may read. */
  readonly results: Results
}
