import type { Configured, Replaced } from '../config/configured.ts'
import type { ServerConfig } from '../config/server-config.ts'
import type { Era, JsonObject, Message } from '../protocol/message.ts'
import type { Remedies } from '../protocol/remedies.ts'
import type { Session } from '../protocol/request-context.ts'
import type { Instance } from '../upstream/instances.ts'
import type { ServerControl } from '../upstream/server-control.ts'
import type { UpstreamStatus } from '../upstream/upstream.ts'
import type { Catalog } from './catalog.ts'
import type { Profiles } from './policy/access.ts'
import type { ToolView } from './tool-view.ts'
import type { Trust } from './trust/trust.ts'
import type { Viewer } from './view-cache.ts'

export interface ServerStatus {
  server: ServerConfig
  era: Era | undefined
  instances: UpstreamStatus[]
  /** Of all instances since the process began, ended ones included. */
  calls: number
  starts: number
}

/** All servers, their catalog and the connected clients. */
export interface Gateway {
  readonly servers: readonly ServerConfig[]
  readonly disabled: readonly string[]
  readonly profiles: Profiles
  readonly catalog: Catalog
  readonly trust: Trust
  readonly remedies: Remedies
  /** The tools of a viewer, with the current pins. */
  viewFor(viewer: Viewer): ToolView
  /**
   * @throws {AggregatorError} `upstream_down` for a server that was removed from the configuration
   */
  instanceOf(server: ServerConfig, session: Session, capabilities: JsonObject): Instance
  /**
   * Queries the lists of one server unless they are known. @throws {AggregatorError}
   * `upstream_down`
   */
  know(server: ServerConfig, session: Session, capabilities: JsonObject): Promise<void>
  /** Queries one server unless it was read in this process. Resolves to true if it was queried. */
  confirm(server: ServerConfig, session: Session, capabilities: JsonObject): Promise<boolean>
  /**
   * Queries all servers without an entry. Resolves when all have answered or failed, or when none
   * has answered for a while after the first: servers that hang do not delay the others.
   */
  discover(session: Session, capabilities: JsonObject): Promise<void>
  /** Adds a session: it gets notifications, and servers can send it requests. */
  join(session: Session): void
  /** Adds a session that gets all list changes, even before it has requested a list. */
  listen(session: Session): void
  /** Removes a session. */
  leave(session: Session): void
  readonly sessions: ReadonlySet<Session>
  /** Subscribes a session to a resource, or unsubscribes it. */
  follow(instance: Instance, session: Session, uri: string, isRequested: boolean): Promise<void>
  /** The log level that the session has set; legacy only. */
  logLevelOf(session: Session): string | undefined
  /** Sends a notification to all servers that a session uses. */
  notifyServers(session: Session, message: Message): void
  /** Sets the lowest level of log messages of legacy servers for a session. */
  setLogLevel(session: Session, level: string): void
  /** One status per unit. */
  status(): ServerStatus[]
  statusOf(server: ServerConfig): ServerStatus
  /** Stops, starts and restarts servers. */
  readonly control: ServerControl
  /** Replaces servers and profiles; only servers that are started differently are restarted. */
  replace(configured: Configured): Replaced
  close(): Promise<void>
}
