import { createLogLevels, lowerLogLevel } from '../call/log-levels.ts'
import { createCatalog } from '../catalog/catalog.ts'
import { createDiscovery } from '../catalog/discovery.ts'
import type { ItemKind } from '../catalog/entries/catalog-entry.ts'
import { type CatalogStore, createMemoryCatalogStore } from '../catalog/entries/catalog-store.ts'
import { itemKinds } from '../catalog/entries/list-items.ts'
import type { Gateway, ServerStatus } from '../catalog/gateway.ts'
import { createProfiles } from '../catalog/policy/access.ts'
import type { ToolView } from '../catalog/tool-view.ts'
import type { Trust } from '../catalog/trust/trust.ts'
import { createViewCache, type Viewer } from '../catalog/view-cache.ts'
import type { Configured, Replaced } from '../config/configured.ts'
import { isSameLaunch } from '../config/is-same-launch.ts'
import { type ServerConfig, unitsOf } from '../config/server-config.ts'
import { AggregatorError } from '../protocol/aggregator-error.ts'
import type { Era, JsonObject } from '../protocol/message.ts'
import { defaultRemedies, type Remedies } from '../protocol/remedies.ts'
import type { Session } from '../protocol/request-context.ts'
import { type Unit, unitName } from '../protocol/unit.ts'
import { learnSecrets } from '../secrets/find-secrets.ts'
import type { Redactor } from '../secrets/redactor.ts'
import type { Connect } from '../upstream/connection/connection.ts'
import { createInstances, type Instance } from '../upstream/instances.ts'
import { createServerControl } from '../upstream/server-control.ts'
import { changeOf, createServerNotices } from './server-notices.ts'
import { createSubscribers } from './subscribers.ts'

export interface GatewayOptions extends Configured {
  trust: Trust
  secrets: Redactor
  connect: Connect
  /** Stores the lists of servers across processes. */
  catalogStore?: CatalogStore
  /** Prefix names of tools and prompts with the name of their server. Default true. */
  prefix?: boolean
  onLog?: (text: string) => void
  onStderr?: ((server: string, line: string) => void) | undefined
  /** Clients do not see the tools of servers and get no changes of them. */
  filtersTools?: boolean
  /** Names that tools of servers must not have. */
  reserved?: readonly string[]
  remedies?: Partial<Remedies> | undefined
}

export function createGateway(options: GatewayOptions): Gateway {
  const { prefix = true, trust, secrets, onLog = () => {} } = options
  const remedies = { ...defaultRemedies, ...options.remedies }
  let { servers, disabled = [] } = options
  let profiles = createProfiles(options.profiles ?? {}, servers, options.callers)
  let units = new Map(servers.flatMap(unitsOf).map((unit) => [unitName(unit), unit] as const))
  learnSecrets(secrets, units.values())
  const sessions = new Set<Session>()
  const listed = new WeakSet<Session>()
  const followers = createSubscribers()
  const logs = createLogLevels()

  const catalog = createCatalog({
    servers,
    store: options.catalogStore ?? createMemoryCatalogStore(),
    onLog,
    redactIn: secrets.redactIn,
    onChange(kinds, isNew, unit) {
      // A session that waits for its first list gets all of it anyway.
      const isNotified = (session: Session): boolean =>
        (!isNew || listed.has(session)) && canSee(session, unit)
      notify(kinds, { isTold: isNotified })
    },
  })

  function notify(
    kinds: readonly ItemKind[],
    { isTold: isNotified = (_: Session): boolean => true, withTools = !options.filtersTools } = {},
  ): void {
    const visible = kinds.filter((kind) => kind !== 'tools' || withTools)
    for (const method of new Set(visible.map((kind) => changeOf[kind])))
      for (const session of sessions) if (isNotified(session)) session.notify({ method })
  }

  /** Eras in this process take precedence: a server may have been replaced by a newer one. */
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

  const views = createViewCache({
    catalog,
    trust,
    profileOf: (access) => profiles.of(access),
    withServer: prefix,
    claims: new Map(),
    reserved: options.reserved ?? [],
  })
  function viewFor(viewer: Viewer): ToolView {
    if (trust.isOutdated()) catalog.touch()
    return views(viewer)
  }

  /** The instance with the current configuration: `server` may come from an older view. */
  function instanceOf(server: ServerConfig, session: Session, capabilities: JsonObject): Instance {
    const unit = units.get(unitName(server))
    if (unit === undefined)
      throw new AggregatorError(
        'upstream_down',
        `The server ${unitName(server)} was removed from the configuration.`,
        'Find the available tools with search_tools.',
      )
    control.check(unit)
    return instances.of(unit, session, capabilities)
  }

  const control = createServerControl({
    startServer: remedies.startServer,
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
    for (const name of removed) control.remove(name)
    for (const name of changed) control.restart(name)
    // Our own tools name servers and accounts.
    notify(itemKinds, { withTools: true })
    return { added, removed, changed }
  }

  async function follow(
    instance: Instance,
    session: Session,
    uri: string,
    isRequested = true,
  ): Promise<void> {
    const undo = followers.change(instance, session, uri, isRequested)
    instance.admit(session)
    try {
      await instance.use((connection) => connection.follow(followers.urisOf(instance)))
    } catch (error) {
      if (isRequested) undo()
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
    remedies,
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
    logLevelOf: (session) => logs.setBy(session),
    notifyServers(session, message) {
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
    control,
    async close() {
      await instances.stop()
    },
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
