import type { CallRecord } from '../journal/call-record.ts'
import type { Access } from '../policy/access.ts'
import type { Span } from '../tracing/tracing.ts'
import type { Era, Fields, Message } from '../upstream/connection.ts'

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
