import type { ServerConfig } from '../config/server-config.ts'
import type { Challenge } from '../protocol/challenge.ts'
import type { Era, JsonObject, Message, RequestOptions } from '../protocol/message.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** An initialized connection to one server. */
export interface Connection {
  readonly era: Era
  /** The era was found out now, and not remembered or given. */
  readonly isProbed?: boolean
  readonly capabilities: JsonObject
  readonly serverInfo: JsonObject | undefined
  readonly instructions: string | undefined
  /** Of the process, if this process started it. */
  readonly pid?: number | undefined
  /** Resolves to the server's result, unchanged. Rejects with its JSON-RPC error, unchanged. */
  request(message: Message, options?: RequestOptions): Promise<JsonObject>
  notify(message: Message): void
  /**
   * Subscribes to these resources, and in the modern era to list changes. Replaces earlier
   * subscriptions.
   */
  follow(uris: readonly string[]): Promise<void>
  /** Ends the connection, and the process with its children. Must not reject. */
  close(): Promise<void>
  /** Resolves with the reason when the connection has ended on either side. */
  readonly closed: Promise<string>
}

/** What a server sends outside results. Neither callback may throw. */
export interface ConnectionEvents {
  onNotification(message: Message): void
  /** A request from the server; legacy only. */
  onAsk(message: Message, signal: AbortSignal): Promise<JsonObject>
  /** Text that the server writes to its standard error. */
  onStderr(text: string): void
}

/** Access tokens for a server with OAuth. */
export interface TokenSource {
  /** The token for the next request; undefined without one. */
  token(): Promise<string | undefined>
  /**
   * The server rejected `refused`: resolves when another token is available. @throws {SignInNeeded}
   */
  renew(refused: string | undefined, challenge: Challenge): Promise<void>
}

export interface ConnectOptions extends ConnectionEvents {
  server: ServerConfig
  tokens?: TokenSource | undefined
  /** Declared to a legacy server; a modern server gets them with each request. */
  capabilities: JsonObject
  /** What a process inherits is taken from it. Default: that of this process. */
  environment?: Environment | undefined
  /** The era, if it is known: skips the negotiation. */
  era?: Era | undefined
  signal: AbortSignal
}

/** Opens a connection. Rejects with the reason of a failure; then no process is left running. */
export type Connect = (options: ConnectOptions) => Promise<Connection>

/** The connection ended before the result arrived. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  /** The server did not process the request: it can be sent again safely. */
  readonly isUntouched: boolean

  constructor(reason: string, isUntouched = false) {
    super(reason)
    this.isUntouched = isUntouched
  }
}

/** The server answered a request with an HTTP error. The message says which. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal'
  readonly status: number
  /** Milliseconds for which it asks not to be asked again. */
  readonly retryMs: number | undefined

  constructor(reason: Error & { retryMs?: number | undefined }, status = 0) {
    super(reason.message, { cause: reason.cause })
    this.status = status
    this.retryMs = reason.retryMs
  }
}
