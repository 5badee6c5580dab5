import { createLogLevels, lowerLogLevel } from '../call/log-levels.ts'
import { createCatalog } from '../catalog/catalog.ts'
import { createDiscovery } from '../catalog/discovery.ts'
import type { OfferKind } from '../catalog/entries/catalog-entry.ts'
import { type CatalogStore, createMemoryCatalogStore } from '../catalog/entries/catalog-store.ts'
import { offerKinds } from '../catalog/entries/read-offers.ts'
import type { Gateway, ServerStatus } from '../catalog/gateway.ts'
import { createProfiles } from '../catalog/policy/access.ts'
import type { Trust } from '../catalog/trust/trust.ts'
import type { View } from '../catalog/view.ts'
import { createViews, type Viewer } from '../catalog/views.ts'
import type { Configured, Replaced } from '../config/configured.ts'
import { isSameLaunch } from '../config/is-same-launch.ts'
import { type ServerConfig, unitsOf } from '../config/server-config.ts'
import { AggregatorError } from '../protocol/aggregator-error.ts'
import type { Session } from '../protocol/exchange.ts'
import type { Era, Fields } from '../protocol/message.ts'
import { type Unit, unitName } from '../protocol/unit.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { learnSecrets } from '../secrets/secrets-of.ts'
import type { Connect } from '../upstream/connection/connection.ts'
import { createInstances, type Instance } from '../upstream/instances.ts'
import { createSteering } from '../upstream/steering.ts'
import { createFollowers } from './followers.ts'
import { changeOf, createServerNotices } from './server-notices.ts'

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

  function canSee(session: Session, unit: Unit): boolean {
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
