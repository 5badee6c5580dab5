import type { ServerConfig } from '#servers/config/server-config'
import type { Connect, Connection, ConnectionEvents } from '#servers/connection/connection'
import type { Era, JsonObject } from '#servers/protocol/message'

export interface UpstreamStatus {
  state: 'stopped' | 'starting' | 'ready' | 'down'
  failures: number
  /** Milliseconds until a server that is down is tried again. */
  retryInMs: number
  /** A user must sign in before it can be used. */
  needsSignIn: boolean
  lastError: string | undefined
  stderr: string[]
  calls: number
  starts: number
  /** Of a process that is ready. */
  pid: number | undefined
  /** Milliseconds since 1970; of a server that is ready. */
  readyAt: number | undefined
}

export interface UpstreamOptions {
  server: ServerConfig
  /** Declared client capabilities. */
  capabilities: JsonObject
  connect: Connect
  /** The server's era, if it is known. */
  era: () => Era | undefined
  /** Replaces secrets in a text. */
  redact(text: string): string
  events: UpstreamEvents
}

/** What an upstream reports. None of these may throw. */
interface UpstreamEvents extends Omit<ConnectionEvents, 'onStderr'> {
  onReady(connection: Connection): void
  onLog(text: string): void
  /** Called at each call and start, for totals of all instances. */
  onCount?: ((what: 'calls' | 'starts') => void) | undefined
  /** Called with each redacted line of its standard error. */
  onStderr?: ((line: string) => void) | undefined
}
