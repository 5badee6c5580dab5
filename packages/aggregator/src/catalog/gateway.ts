import type { Configured, Replaced } from '../config/configured.ts'
import type { ServerConfig } from '../config/server-config.ts'
import type { Session } from '../protocol/exchange.ts'
import type { Era, Fields, Message } from '../protocol/message.ts'
import type { Instance } from '../upstream/instances.ts'
import type { Steering } from '../upstream/steering.ts'
import type { UpstreamStatus } from '../upstream/upstream.ts'
import type { Catalog } from './catalog.ts'
import type { Profiles } from './policy/access.ts'
import type { Trust } from './trust/trust.ts'
import type { View } from './view.ts'
import type { Viewer } from './views.ts'

export interface ServerStatus {
  server: ServerConfig
  era: Era | undefined
  instances: UpstreamStatus[]
  /** Of all instances since the process began, also those that are no more. */
  calls: number
  starts: number
}

/** All servers, what they offer, and the clients that are there now. */
export interface Gateway {
  readonly servers: readonly ServerConfig[]
  readonly disabled: readonly string[]
  readonly profiles: Profiles
  readonly catalog: Catalog
  readonly trust: Trust
  /** What someone may see, by the pins there are now. */
  viewFor(viewer: Viewer): View
  /** @throws {AggregatorError} `upstream_down` for one that was taken out of the configuration */
  instanceOf(server: ServerConfig, session: Session, capabilities: Fields): Instance
  /** Ask one server what it offers, unless that is known. @throws {AggregatorError} `upstream_down` */
  know(server: ServerConfig, session: Session, capabilities: Fields): Promise<void>
  /** Ask it even if it is known from an earlier process; whether it was asked. */
  confirm(server: ServerConfig, session: Session, capabilities: Fields): Promise<boolean>
  /**
   * Ask all servers that were never asked. Resolves when all have answered or failed, or when none
   * has answered for a while after another did: who hangs does not keep the others waiting.
   */
  discover(session: Session, capabilities: Fields): Promise<void>
  /** A client is there: it is told of changes, and servers ask it. */
  join(session: Session): void
  /** One that is told of all changes, whether it has seen a list or not. */
  listen(session: Session): void
  /** It does not come back. */
  leave(session: Session): void
  readonly sessions: ReadonlySet<Session>
  /** Tell a client of changes of a resource from now on, or no longer. */
  follow(instance: Instance, session: Session, uri: string, isWanted: boolean): Promise<void>
  /** What the client itself said about log messages; legacy only. */
  logLevelOf(session: Session): string | undefined
  /** Say something to all servers a client talks with. */
  tellServers(session: Session, message: Message): void
  /** The level from which on a client wants log messages of legacy servers. */
  setLogLevel(session: Session, level: string): void
  /** Of each server, or each of its accounts. */
  status(): ServerStatus[]
  statusOf(server: ServerConfig): ServerStatus
  /** Started, stopped and started anew by their owner. */
  readonly steering: Steering
  /** Go on with these servers and profiles; only what is started otherwise is started anew. */
  replace(configured: Configured): Replaced
  close(): Promise<void>
}
