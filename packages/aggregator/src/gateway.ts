import { type Catalog, createCatalog } from './catalog/catalog.ts'
import type { OfferKind } from './catalog/catalog-entry.ts'
import { type CatalogStore, createMemoryCatalogStore } from './catalog/catalog-store.ts'
import { offerKinds } from './catalog/read-offers.ts'
import { createViews, type View } from './catalog/view.ts'
import type { ServerConfig } from './config/server-config.ts'
import type { Session } from './relay/exchange.ts'
import { createFollowers } from './relay/followers.ts'
import { createLogLevels, isLoud, lowerLogLevel } from './relay/log-levels.ts'
import type { Connect, Connection, Era, Fields, Message } from './upstream/connection.ts'
import { createInstances, type Instance } from './upstream/instances.ts'
import { untilGap } from './upstream/until-gap.ts'
import type { UpstreamStatus } from './upstream/upstream.ts'

export interface GatewayOptions {
  servers: readonly ServerConfig[]
  connect: Connect
  /** Keeps what servers offer beyond this process. */
  catalogStore?: CatalogStore
  /** Names of tools and prompts begin with the name of their server. Default true. */
  prefix?: boolean
  onLog?: (text: string) => void
  onStderr?: ((server: string, line: string) => void) | undefined
  /** Clients see none of the tools, so that they are not told of changes. */
  hidesTools?: boolean
  /** Names that tools of servers must not have. */
  reserved?: readonly string[]
}

/** All servers, what they offer, and the clients that are there now. */
export interface Gateway {
  readonly servers: readonly ServerConfig[]
  readonly catalog: Catalog
  viewFor(capabilities: Fields): View
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
  status(): { server: ServerConfig; era: Era | undefined; instances: UpstreamStatus[] }[]
  close(): Promise<void>
}

const changeOf: Record<OfferKind, string> = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
  resourceTemplates: 'notifications/resources/list_changed',
}

export function createGateway(options: GatewayOptions): Gateway {
  const { servers, prefix = true, onLog = () => {} } = options
  const sessions = new Set<Session>()
  const listed = new WeakSet<Session>()
  const followers = createFollowers()
  const logs = createLogLevels()

  const catalog = createCatalog({
    servers,
    store: options.catalogStore ?? createMemoryCatalogStore(),
    onLog,
    onChange(kinds, isNew) {
      const told = kinds.filter((kind) => kind !== 'tools' || !options.hidesTools)
      // Whoever is still waiting for the first list gets it whole.
      for (const method of new Set(told.map((kind) => changeOf[kind])))
        for (const session of sessions)
          if (!isNew || listed.has(session)) session.notify({ method })
    },
  })

  /** Of this process first: a server may have been replaced by a newer one. */
  const eras = new Map<string, Era>()
  const eraOf = (server: string): Era | undefined => eras.get(server) ?? catalog.eraOf(server)

  const instances = createInstances({
    connect: options.connect,
    eraOf,
    onLog,
    onStderr: options.onStderr,
    onReady(instance, connection) {
      eras.set(instance.server.name, connection.era)
      void catalog
        .confirm(instance, connection)
        .catch((error: unknown) => onLog(`${instance.server.name}: ${messageOf(error)}`))
      void restore(instance, connection).catch(() => {})
    },
    onNotification,
  })

  function onNotification(instance: Instance, message: Message): void {
    if (Object.values(changeOf).includes(message.method)) {
      const { connection } = instance
      if (connection) void catalog.refresh(instance, connection).catch(() => {})
    } else if (message.method === 'notifications/resources/updated') {
      for (const session of followers.of(instance, message.params?.['uri'])) session.notify(message)
    } else if (message.method === 'notifications/message') {
      for (const session of instance.sessions) logTo(session, instance, message)
    } else if (!isOfTheConnection(message))
      for (const session of instance.sessions) session.notify(message)
  }

  /** With the request it belongs to where there is one, since not every client listens beside it. */
  function logTo(session: Session, instance: Instance, message: Message): void {
    const exchange = instance.current(session)
    // Of several clients, only those who are calling.
    if (exchange === undefined && instance.sessions.size > 1) return
    const wanted = session.era === 'modern' ? exchange?.logLevel : logs.of(session)
    if (wanted !== undefined && isLoud(message.params?.['level'], wanted))
      (exchange ?? session).notify(message)
  }

  /** What a fresh process has to be told again. */
  async function restore(instance: Instance, connection: Connection): Promise<void> {
    const level = logs.lowest(instance.sessions)
    if (level !== undefined) await lowerLogLevel(connection, level)
    const uris = followers.urisOf(instance)
    if (uris.length > 0 || connection.era === 'modern') await connection.follow(uris)
    instance.keep(() => followers.urisOf(instance).length > 0)
  }

  const viewFor = createViews(catalog, servers, prefix, options.reserved)

  async function know(server: ServerConfig, session: Session, capabilities: Fields): Promise<void> {
    const entry = viewFor(capabilities).entryOf(server.name)
    // A server that had nothing to offer in an earlier process may have lacked something then.
    const isEmpty = entry !== undefined && offerKinds.every((kind) => entry[kind].length === 0)
    if (entry !== undefined && !(isEmpty && !catalog.isConfirmed(entry))) return
    await ask(server, session, capabilities)
  }

  async function ask(server: ServerConfig, session: Session, capabilities: Fields): Promise<void> {
    const instance = instances.of(server, session, capabilities)
    // It may want to know roots as soon as it has started.
    instance.admit(session)
    await instance.use((connection) => catalog.confirm(instance, connection))
  }

  return {
    servers,
    catalog,
    viewFor,
    sessions,
    instanceOf: (server, session, capabilities) => instances.of(server, session, capabilities),
    know,
    async confirm(server, session, capabilities) {
      const entry = viewFor(capabilities).entryOf(server.name)
      if (entry && catalog.isConfirmed(entry)) return false
      await ask(server, session, capabilities)
      return true
    },
    discover(session, capabilities) {
      const { unknown } = viewFor(capabilities)
      const isAnyDone = unknown.length < servers.length
      const asked = untilGap(unknown, (server) => know(server, session, capabilities), {
        isAnyDone,
      })
      return asked.then(() => void listed.add(session))
    },
    join: (session) => void sessions.add(session),
    listen(session) {
      sessions.add(session)
      listed.add(session)
    },
    leave(session) {
      sessions.delete(session)
      logs.forget(session)
      for (const instance of followers.leave(session))
        void instance.connection?.follow(followers.urisOf(instance)).catch(() => {})
      instances.forget(session)
    },
    async follow(instance, session, uri, isWanted) {
      const undo = followers.change(instance, session, uri, isWanted)
      instance.admit(session)
      try {
        await instance.use((connection) => connection.follow(followers.urisOf(instance)))
      } catch (error) {
        if (isWanted) undo()
        throw error
      }
    },
    logLevelOf: (session) => logs.saidBy(session),
    tellServers(session, message) {
      for (const instance of instances.all())
        if (instance.sessions.has(session) && instance.connection?.era === 'legacy')
          instance.connection.notify(message)
    },
    setLogLevel(session, level) {
      logs.set(session, level)
      for (const { connection, sessions } of instances.all())
        if (connection && sessions.has(session)) void lowerLogLevel(connection, level)
    },
    status: () =>
      servers.map((server) => ({
        server,
        era: eraOf(server.name),
        instances: instances
          .all()
          .filter((instance) => instance.server === server)
          .map((instance) => instance.status()),
      })),
    async close() {
      await instances.stop()
    },
  }
}

/** What a server says to us, not to our clients. */
const isOfTheConnection = ({ method }: Message): boolean =>
  method === 'notifications/subscriptions/acknowledged' || method === 'notifications/cancelled'

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
