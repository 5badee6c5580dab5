import type { Tracing } from '#base/tracing'
import type { JsonObject } from '#servers/protocol/message'
import type { Mode, RequestContext } from '#servers/protocol/request-context'
import type { ListRecorder } from '../../call/journal/record-list.ts'
import type { CallDeps } from '../../call/pipeline.ts'
import type { ListModes } from '../../tools/list-modes/list-modes.ts'

/** Dependencies of the request handlers. */
export interface HandlerDeps extends CallDeps {
  /** Of the mode of the aggregator, and of each mode. */
  listModes: ListModes
  listModesBy: Readonly<Record<Mode, ListModes>>
  lists: ListRecorder
  onLog: (text: string) => void
  tracing?: Tracing | undefined
}

/**
 * Answers one MCP method. Rejects with errors that have a numeric `code`, or with an
 * `AggregatorError`.
 */
export type Handler = (
  params: JsonObject,
  context: RequestContext,
  deps: HandlerDeps,
) => Promise<JsonObject>
