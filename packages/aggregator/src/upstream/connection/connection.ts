import type { ServerConfig } from '../../config/server-config.ts'
import type { Era, Fields, Message, RequestOptions } from '../../protocol/message.ts'

/** A conversation with one server that is ready. */
export interface Connection {
  readonly era: Era
  readonly capabilities: Fields
  readonly serverInfo: Fields | undefined
  readonly instructions: string | undefined
  /** Resolves to the result as the server gave it. Rejects with the error of JSON-RPC as it was. */
  request(message: Message, options?: RequestOptions): Promise<Fields>
  notify(message: Message): void
  /** Changes to be told of; in the modern era that is asked for. Later calls replace earlier ones. */
  follow(uris: readonly string[]): Promise<void>
  /** Ends the conversation, and the process with all it started. Must not reject. */
  close(): Promise<void>
  /** Resolves with the reason once the conversation is over, whoever ended it. */
  readonly closed: Promise<string>
}

/** What a server says of itself, outside answers. Neither may throw. */
export interface ConnectionEvents {
  onNotification(message: Message): void
  /** A question of the server; legacy only. */
  onAsk(message: Message, signal: AbortSignal): Promise<Fields>
  /** What it writes to its error output. */
  onStderr(text: string): void
}

/** Tokens for a server that asks who is there; it may ask at any time. */
export interface TokenSource {
  /** Sent with a request; undefined where there is none. */
  token(): Promise<string | undefined>
  /** The server refused what was sent: resolves when there is another. @throws {SignInNeeded} */
  renew(refused: string | undefined, challenge: Challenge): Promise<void>
}

export interface ConnectOptions extends ConnectionEvents {
  server: ServerConfig
  tokens?: TokenSource | undefined
  /** What is declared to a legacy server; a modern one is told at each request. */
  capabilities: Fields
  /** Known from before, so that nothing has to be tried. */
  era?: Era | undefined
  signal: AbortSignal
}

/** Begin a conversation. Rejects with the reason when there is none; nothing is left running. */
export type Connect = (options: ConnectOptions) => Promise<Connection>

/** The conversation was over before the answer came. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  /** The server did not take the request, so that it may be sent again. */
  readonly isUntouched: boolean

  constructor(reason: string, isUntouched = false) {
    super(reason)
    this.isUntouched = isUntouched
  }
}

/** What a server says with a 401 or 403. */
export interface Challenge {
  resourceMetadataUrl?: string | undefined
  scope?: string | undefined
}
