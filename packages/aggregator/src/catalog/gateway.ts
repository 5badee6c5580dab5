import type { Configured, Replaced, ServerConfig } from '#servers/config/server-config'
import type { Era, JsonObject, Message } from '#servers/protocol/message'
import type { Remedies } from '#servers/protocol/remedies'
import type { RequestContext, Session } from '#servers/protocol/request-context'
import type { Instance } from '../upstream/instance.ts'
import type { ServerControl } from '../upstream/server-control.ts'
import type { Sharing } from '../upstream/sharing.ts'
import type { UpstreamStatus } from '../upstream/upstream-options.ts'
import type { Catalog } from './catalog.ts'
import type { Discovery } from './discovery.ts'
import type { Profiles } from './policy/access.ts'
import type { Permissions } from './policy/permissions.ts'
import type { ToolView } from './tool-view.ts'
import type { Trust } from './trust/trust.ts'
import type { Viewer } from './view-cache.ts'

/** The servers, what they offer, and the connected clients. Users take the parts that they need. */
export interface Gateway {
  readonly fleet: Fleet
  readonly clients: Clients
  readonly discovery: Discovery
  readonly catalog: Catalog
  readonly trust: Trust
  readonly remedies: Remedies
  /** The tools of a viewer, with the current pins. */
  viewFor(viewer: Viewer): ToolView
  /**
   * The instance with the current configuration; `server` may come from an older view.
   * @throws {AggregatorError} `upstream_down` for a server that was stopped, or removed from the
   * configuration
   */
  instanceOf(server: ServerConfig, session: Session, capabilities: JsonObject): Instance
  /** Asks a client of a shared process for what decides about its instance. */
  prepare(server: ServerConfig, context: RequestContext): Promise<void>
}

/** The configured servers. */
export interface Fleet {
  readonly servers: readonly ServerConfig[]
  /** Servers, or each account of a server, by name. */
  readonly units: ReadonlyMap<string, ServerConfig>
  /** Names of disabled servers. */
  readonly disabled: readonly string[]
  readonly profiles: Profiles
  /** Undefined without any. */
  readonly permissions: Permissions
  /** Stops, starts and restarts servers. */
  readonly control: ServerControl
  /** One status per unit. */
  status(): ServerStatus[]
  statusOf(server: ServerConfig): ServerStatus
  /** A sentence for each setting that matches no server, tool or account, as far as they are known. */
  unmatched(): Promise<string[]>
  /** Replaces servers and profiles; only servers that are started differently are restarted. */
  replace(configured: Configured): Replaced
  close(): Promise<void>
}

export interface ServerStatus {
  server: ServerConfig
  era: Era | undefined
  /** With whom clients of a shared process share an instance. */
  sharing: Sharing
  instances: UpstreamStatus[]
  /** Of all instances since the process began, ended ones included. */
  calls: number
  starts: number
}

/** The connected clients. */
export interface Clients {
  readonly sessions: ReadonlySet<Session>
  /** Adds a session: it gets notifications, and servers can send it requests. */
  join(session: Session): void
  /** Adds a session that gets all list changes, even before it has requested a list. */
  listen(session: Session): void
  /** Removes a session. */
  leave(session: Session): void
  /** Subscribes a session to a resource that it knows as `alias`; without it, unsubscribes it. */
  follow(instance: Instance, session: Session, uri: string, alias?: string): Promise<void>
  /** The log level that the session has set; legacy only. */
  logLevelOf(session: Session): string | undefined
  /** Sets the lowest level of log messages of legacy servers for a session. */
  setLogLevel(session: Session, level: string): void
  /** Sends a notification to all servers that a session uses. */
  notifyServers(session: Session, message: Message): void
}
