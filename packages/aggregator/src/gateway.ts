import { AggregatorError } from './aggregator-error.ts'
import { type Catalog, createCatalog } from './catalog/catalog.ts'
import type { OfferKind } from './catalog/catalog-entry.ts'
import { type CatalogStore, createMemoryCatalogStore } from './catalog/catalog-store.ts'
import { createDiscovery } from './catalog/discovery.ts'
import { offerKinds } from './catalog/read-offers.ts'
import type { View } from './catalog/view.ts'
import { createViews, type Viewer } from './catalog/views.ts'
import type { Configured, Replaced } from './config/configured.ts'
import { isSameLaunch } from './config/is-same-launch.ts'
import { type ServerConfig, unitName, unitsOf } from './config/server-config.ts'
import { createProfiles, type Profiles } from './policy/access.ts'
import type { Session } from './relay/exchange.ts'
import { createFollowers } from './relay/followers.ts'
import { createLogLevels, lowerLogLevel } from './relay/log-levels.ts'
import { changeOf, createServerNotices } from './relay/server-notices.ts'
import type { Secrets } from './secrets/secrets.ts'
import { learnSecrets } from './secrets/secrets-of.ts'
import type { Trust } from './trust/trust.ts'
import type { Connect, Era, Fields, Message } from './upstream/connection.ts'
import { createInstances, type Instance } from './upstream/instances.ts'
import { createSteering, type Steering } from './upstream/steering.ts'
import type { UpstreamStatus } from './upstream/upstream.ts'

export interface GatewayOptions extends Configured {
  trust: Trust
  secrets: Secrets
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

interface ServerStatus {
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

export function createGateway(options: GatewayOptions): Gateway {
  const { prefix = true, trust, secrets, onLog = () => {} } = options
  let { servers, disabled = [] } = options
  let profiles = createProfiles(options.profiles ?? {}, servers, options.callers)
  let units = new Map(servers.flatMap(unitsOf).map((unit) => [unitName(unit), unit] as const))
  learnSecrets(secrets, units.values())
  const sessions = new Set<Session>()
  const listed = new WeakSet<Session>()
  const followers = createFollowers()
  const logs = createLogLevels()

  const catalog = createCatalog({
    servers,
    store: options.catalogStore ?? createMemoryCatalogStore(),
    onLog,
    hideIn: secrets.hideIn,
    onChange(kinds, isNew, unit) {
      // Whoever is still waiting for the first list gets it whole.
      const isTold = (session: Session): boolean =>
        (!isNew || listed.has(session)) && canSee(session, unit)
      tell(kinds, { isTold })
    },
  })

  function tell(
    kinds: readonly OfferKind[],
    { isTold = (_: Session): boolean => true, withTools = !options.hidesTools } = {},
  ): void {
    const told = kinds.filter((kind) => kind !== 'tools' || withTools)
    for (const method of new Set(told.map((kind) => changeOf[kind])))
      for (const session of sessions) if (isTold(session)) session.notify({ method })
  }

  /** Of this process first: a server may have been replaced by a newer one. */
  const eras = new Map<string, Era>()
  const eraOf = (server: string): Era | undefined => eras.get(server) ?? catalog.eraOf(server)

  const totals = new Map<string, { calls: number; starts: number }>()

  const instances = createInstances({
    onCount(server, what) {
      const total = totals.get(server) ?? { calls: 0, starts: 0 }
      totals.set(server, total)
      total[what]++
    },
    connect: options.connect,
    eraOf,
    onLog,
    secrets,
    onStderr: options.onStderr,
    onReady(instance, connection) {
      eras.set(unitName(instance.server), connection.era)
      void catalog
        .confirm(instance, connection)
        .catch((error: unknown) => onLog(`${unitName(instance.server)}: ${messageOf(error)}`))
      void notices.restore(instance, connection).catch(() => {})
    },
    onNotification: (instance, message) => notices.pass(instance, message),
  })

  const notices = createServerNotices({ catalog, followers, logs, canSee })

  function canSee(session: Session, unit: ServerConfig): boolean {
    const { servers } = profiles.of(session.access)
    return servers.some(({ name }) => name === unit.name)
  }

  const views = createViews({
    catalog,
    trust,
    profileOf: (access) => profiles.of(access),
    withServer: prefix,
    claims: new Map(),
    reserved: options.reserved ?? [],
  })
  function viewFor(viewer: Viewer): View {
    if (trust.isOutdated()) catalog.touch()
    return views(viewer)
  }

  /** As it is configured now: whoever asks may have seen it before. */
  function instanceOf(server: ServerConfig, session: Session, capabilities: Fields): Instance {
    const unit = units.get(unitName(server))
    if (unit === undefined)
      throw new AggregatorError(
        'upstream_down',
        `The server ${unitName(server)} was taken out of the configuration.`,
        'search_tools knows the tools there are now.',
      )
    steering.check(unit)
    return instances.of(unit, session, capabilities)
  }

  const steering = createSteering({
    retire(name) {
      eras.delete(name)
      return instances
        .retire(name)
        .flatMap((instance) => followers.take(instance).map((one) => ({ ...one, instance })))
    },
    follow({ uri, session, instance }) {
      const unit = units.get(unitName(instance.server))
      if (unit === undefined) return
      const next = instances.of(unit, session, instance.capabilities)
      void follow(next, session, uri).catch(() => {})
    },
  })

  const discovery = createDiscovery({ catalog, viewFor, instanceOf })

  function statusOf(server: ServerConfig): ServerStatus {
    const name = unitName(server)
    const own = instances.named(name)
    const { calls, starts } = totals.get(name) ?? { calls: 0, starts: 0 }
    const statuses = own.map((instance) => instance.status())
    return { server, era: eraOf(name), instances: statuses, calls, starts }
  }

  function replace(configured: Configured): Replaced {
    const before = units
    servers = configured.servers
    disabled = configured.disabled ?? []
    profiles = createProfiles(configured.profiles ?? {}, servers, configured.callers)
    units = new Map(servers.flatMap(unitsOf).map((unit) => [unitName(unit), unit] as const))
    learnSecrets(secrets, units.values())
    const removed = [...before.keys()].filter((name) => !units.has(name))
    const added = [...units.keys()].filter((name) => !before.has(name))
    const changed = [...before].flatMap(([name, old]) => {
      const unit = units.get(name)
      return unit && !isSameLaunch(old, unit) ? [name] : []
    })
    catalog.replace(servers)
    trust.forget()
    for (const name of removed) steering.forget(name)
    for (const name of changed) steering.renew(name)
    // Our own tools name servers and accounts.
    tell(offerKinds, { withTools: true })
    return { added, removed, changed }
  }

  async function follow(
    instance: Instance,
    session: Session,
    uri: string,
    isWanted = true,
  ): Promise<void> {
    const undo = followers.change(instance, session, uri, isWanted)
    instance.admit(session)
    try {
      await instance.use((connection) => connection.follow(followers.urisOf(instance)))
    } catch (error) {
      if (isWanted) undo()
      throw error
    }
  }

  return {
    get servers() {
      return servers
    },
    get disabled() {
      return disabled
    },
    get profiles() {
      return profiles
    },
    catalog,
    trust,
    viewFor,
    sessions,
    replace,
    instanceOf,
    know: discovery.know,
    confirm: discovery.confirm,
    async discover(session, capabilities) {
      await discovery.discover(session, capabilities)
      listed.add(session)
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
    follow,
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
    status: () => [...units.values()].map(statusOf),
    statusOf,
    steering,
    async close() {
      await instances.stop()
    },
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
