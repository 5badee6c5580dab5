import type { RecordOptions } from '../../call/journal/call-record.ts'
import type { ListNotes } from '../../call/journal/note-list.ts'
import type { Exchange } from '../../protocol/exchange.ts'
import type { Fields } from '../../protocol/message.ts'
import type { Tracing } from '../../protocol/tracing.ts'
import type { Disclosure } from '../../tools/disclosure/disclosure.ts'
import type { ToolServing } from '../../tools/meta-tool.ts'

/** What requests are answered with. */
export interface Serving extends ToolServing {
  disclosure: Disclosure
  recording: RecordOptions
  lists: ListNotes
  tracing?: Tracing | undefined
}

/** Answers one method of MCP. Rejects with errors that have a numeric `code`, or with ours. */
export type Handler = (params: Fields, exchange: Exchange, serving: Serving) => Promise<Fields>
