import type { Era, Fields, Message } from './message.ts'
import type { Span } from './tracing.ts'

/**
 * A client, for as long as it stays. Of clients that come without a session, those that call
 * themselves alike and come from one place count as one.
 */
export interface Session {
  readonly id: string
  readonly era: Era
  /** What it may see and do; without it all. */
  readonly access?: Access | undefined
  /** As declared by `initialize`; modern clients declare them at each request. */
  readonly capabilities: Fields
  /** Outside any request: changes, log messages. Must not throw. */
  notify(message: Message): void
  /** Ask the client something outside any request; legacy only. */
  ask?: ((message: Message, signal: AbortSignal) => Promise<Fields>) | undefined
}

/** One request of a client on its way, whoever answers it in the end. */
export interface Exchange {
  readonly session: Session
  /** Aborted when the client gives up. */
  readonly signal: AbortSignal
  /** What the client can be asked. */
  readonly capabilities: Fields
  /** `_meta` of the request without what belongs to the era, such as trace context. */
  readonly meta: Fields | undefined
  /** From which level on log messages are wanted; modern only. */
  readonly logLevel: string | undefined
  /**
   * The client itself understands a result that asks for input. Otherwise it is asked by `ask`, and
   * the request is sent again with the answers.
   */
  readonly takesInputRequired: boolean
  /** What it adds to a request that a server asked to be sent again; modern only. */
  readonly retry: Fields | undefined
  /** What is written down of it, if it calls a tool. */
  readonly record?: CallRecord | undefined
  /** Of whoever traces it. */
  readonly span?: Span | undefined
  /** About this request: progress, log messages. Must not throw. */
  notify(message: Message): void
  /** Ask the client something in the midst of the request. */
  ask(message: Message, signal: AbortSignal): Promise<Fields>
}

/** Who a client is, as far as it matters to what it may do. */
export interface Access {
  /** As configured, by whose token it came. */
  readonly caller?: string | undefined
  readonly profile?: string | undefined
  /** The caller is none of the configuration's: who let it in knows it. */
  readonly isGuest?: boolean | undefined
}

/** What becomes of one call, until it is written down. */
export interface CallRecord {
  /** A tool of a server is called by it. */
  calls(target: {
    server: { name: string; account?: string | undefined }
    tool: string
    args: unknown
  }): void
  /** What the server answered. */
  got(result: Fields): void
  /** One of several calls made by it, which is written down by itself. */
  inner(): CallRecord
  /** Write it down; `sent` is what goes to the client, if it does. Resolves to the tokens of that. */
  end(outcome: { sent?: Fields; failure?: unknown }): Promise<number>
}
