import type { BatchLimits } from '../batch/batch-limits.ts'
import type { Disclosure } from '../disclosure/disclosure.ts'
import type { Gateway } from '../gateway.ts'
import type { RecordOptions } from '../journal/call-record.ts'
import type { ListNotes } from '../journal/note-list.ts'
import type { Limits } from '../limits/limits.ts'
import type { Exchange } from '../relay/exchange.ts'
import type { Results } from '../results/results.ts'
import type { ValidateArguments } from '../schema/validate-arguments.ts'
import type { ToolSearch } from '../search/tool-search.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { Fields } from '../upstream/connection.ts'

/** What requests are answered with. */
export interface Serving {
  gateway: Gateway
  disclosure: Disclosure
  results: Results
  batchLimits: BatchLimits
  validate: ValidateArguments
  limits: Limits
  recording: RecordOptions
  lists: ListNotes
  tracing?: Tracing | undefined
  toolSearch: ToolSearch
}

/** Answers one method of MCP. Rejects with errors that have a numeric `code`, or with ours. */
export type Handler = (params: Fields, exchange: Exchange, serving: Serving) => Promise<Fields>
