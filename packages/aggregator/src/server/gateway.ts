import type { ServingSettings } from '#servers/config/aggregator-settings'
import type { Configured } from '#servers/config/server-config'
import type { Connect } from '#servers/connection/connection'
import { createLogLevels } from '#servers/connection/log-levels'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import type { Era } from '#servers/protocol/message'
import { defaultRemedies } from '#servers/protocol/remedies'
import { type Session, sessionKey } from '#servers/protocol/request-context'
import { qualifiedName } from '#servers/protocol/server-account'
import { taskIdIn } from '#servers/protocol/tasks'
import { learnSecrets } from '#servers/secrets/find-secrets'
import type { Redactor } from '#servers/secrets/redactor'
import { decideRead } from '../call/stages/decide.ts'
import { type Catalog, createCatalog } from '../catalog/catalog.ts'
import { createDiscovery } from '../catalog/discovery.ts'
import type { CatalogEntry } from '../catalog/entries/catalog-entry.ts'
import { createMemoryCatalogStore } from '../catalog/entries/catalog-store.ts'
import { itemKinds } from '../catalog/entries/list-items.ts'
import type { Fleet, Gateway, ServerStatus } from '../catalog/gateway.ts'
import { describeUnmatched } from '../catalog/policy/unmatched.ts'
import type { Trust } from '../catalog/trust/trust.ts'
import { createViewCache } from '../catalog/view-cache.ts'
import type { Instance } from '../upstream/instance.ts'
import { Instances } from '../upstream/instances.ts'
import type { Asked } from '../upstream/questions.ts'
import {
  createServerControl,
  type ServerControl,
  type Subscription,
} from '../upstream/server-control.ts'
import { ActiveConfig } from './active-config.ts'
import type { AggregatorOptions } from './aggregator-options.ts'
import { ConnectedClients } from './connected-clients.ts'
import { createServerNotices, type ReportTask } from './server-notices.ts'
import { createSubscribers, type Subscribers } from './subscribers.ts'
import { UnitTotals } from './unit-totals.ts'

export interface GatewayOptions
  extends Pick<
    AggregatorOptions,
    'catalogStore' | 'remedies' | 'prefix' | 'asks' | 'onLog' | 'onStderr' | keyof ServingSettings
  > {
  configured: Configured
  trust: Trust
  secrets: Redactor
  connect: Connect
  /** True if the client sees the tools of servers, and gets their changes. Default: all do. */
  listsTools?: (session: Session) => boolean
  /** Names that tools of servers must not have. */
  reserved?: readonly string[]
  reportTask?: ReportTask | undefined
  onAsked?: ((question: Asked) => void) | undefined
}

/** Wires the catalog, the instances and the clients, which notify each other. */
export function createGateway(options: GatewayOptions): Gateway {
  const { configured, trust, secrets, onLog = () => {} } = options
  const { reportTask = () => {}, prefix = true, listsTools = () => true, reserved = [] } = options
  const remedies = { ...defaultRemedies, ...options.remedies }
  const config = new ActiveConfig(configured)
  const { canSee } = config
  learnSecrets(secrets, config.units.values())
  const totals = new UnitTotals()
  const subscribers = createSubscribers()
  const logs = createLogLevels()
  const catalog = createCatalog({
    servers: configured.servers,
    store: options.catalogStore ?? createMemoryCatalogStore(),
    onLog,
    redactIn: secrets.redactIn,
    onChange: (kinds, isNew, unit) => clients.unitChanged(kinds, isNew, unit),
  })
  const eras = createEras(catalog)
  const instances = new Instances({
    ...options,
    eraOf: eras.of,
    toolsOf: (unit) => catalog.entryOf(unit)?.tools,
    knownEraOf: eras.known,
    onLog,
    onCount: (unit, what) => totals.count(unit, what),
    onReady(instance, connection) {
      eras.learn(instance, connection.era)
      notices.ready(instance, connection)
    },
    onNotification: (instance, message) => notices.pass(instance, message),
  })
  const notices = createServerNotices({ catalog, subscribers, logs, canSee, reportTask, onLog })
  const clients = new ConnectedClients({ instances, subscribers, logs, canSee, listsTools })
  const control = createServerControl({
    startServer: remedies.startServer,
    retire(name) {
      eras.forget(name)
      return retired(name, instances, subscribers)
    },
    follow: (followed) => void followAgain(followed, { config, instances, clients, fleet, trust }),
  })
  const views = createViewCache({
    catalog,
    trust,
    profileOf: (access) => config.profiles.of(access),
    withServer: prefix,
    claims: new Map(),
    reserved,
  })
  const viewFor: Gateway['viewFor'] = (viewer) => {
    if (trust.isOutdated()) catalog.touch()
    return views(viewer)
  }
  const { instanceOf, anyInstanceOf, prepare } = createInstanceOf(config, control, instances)
  const fleet = createFleet({
    config,
    control,
    instances,
    totals,
    eraOf: eras.of,
    catalog,
    trust,
    onReplaced() {
      learnSecrets(secrets, config.units.values())
      // Our own tools name servers and accounts.
      clients.notifyChanges(itemKinds)
    },
  })
  const discovery = createDiscovery({
    catalog,
    viewFor,
    instanceOf: anyInstanceOf,
    onListed: (session) => clients.listed(session),
    settings: options,
  })
  return { fleet, clients, discovery, catalog, trust, remedies, viewFor, instanceOf, prepare }
}

/** Finds instances of clients; `anyInstanceOf` for what is the same for all of them, such as lists. */
function createInstanceOf(config: ActiveConfig, control: ServerControl, instances: Instances) {
  const anyInstanceOf: Gateway['instanceOf'] = (server, session, capabilities) => {
    const unit = config.currentUnit(server)
    control.check(unit)
    return instances.of(unit, session, capabilities)
  }
  const instanceOf: Gateway['instanceOf'] = (server, session, capabilities) => {
    if (server.per === 'session' && session.sharedBy === 'address') throw noSession(server.name)
    return anyInstanceOf(server, session, capabilities)
  }
  return { instanceOf, anyInstanceOf, prepare: instances.prepare.bind(instances) }
}

const noSession = (name: string): AggregatorError =>
  new AggregatorError(
    'no_session',
    `${name} has an instance for each session, and this request names none: other clients of this address would share it. Nothing was called.`,
    `Send a token, or repeat _meta["${sessionKey}"] of the result of tools/list.`,
  )

/** Retires the instances of a unit. Returns their subscriptions. */
const retired = (name: string, instances: Instances, subscribers: Subscribers): Subscription[] =>
  instances
    .retire(name)
    .flatMap((instance) => subscribers.take(instance).map((entry) => ({ ...entry, instance })))

interface Following {
  config: ActiveConfig
  instances: Instances
  clients: ConnectedClients
  fleet: Fleet
  trust: Trust
}

/** Restores a subscription at the new instance of its unit, unless it is denied since. */
async function followAgain(
  { uri, alias, session, instance }: Subscription,
  { config, instances, clients, fleet, trust }: Following,
): Promise<void> {
  const unit = config.units.get(qualifiedName(instance.server))
  if (unit === undefined) return
  const read = { method: 'resources/subscribe', params: { uri } }
  const isDenied =
    taskIdIn(uri) === undefined &&
    (await decideRead(unit, read, { session }, { gateway: { fleet, trust } }).then(
      () => false,
      () => true,
    ))
  if (isDenied) return
  const next = instances.of(unit, session, session.capabilities)
  await clients.follow(next, session, uri, alias).catch(() => {})
}

/** Eras in this process take precedence: a server may have been replaced by a newer one. */
function createEras(catalog: Catalog) {
  const eras = new Map<string, Era>()
  const of = (unit: string): Era | undefined => eras.get(unit) ?? catalog.eraOf(unit)
  return {
    of,
    /** What a start does not ask the server for. */
    known(unit: string): Era | undefined {
      const era = of(unit)
      return era === 'legacy' && catalog.mayBeUpgraded(unit) ? undefined : era
    },
    learn({ server, wantedEra }: Instance, era: Era): void {
      const name = qualifiedName(server)
      // A server of both eras speaks 2025 with some clients only.
      if (wantedEra !== 'legacy' || of(name) !== 'modern') eras.set(name, era)
    },
    forget: (unit: string) => eras.delete(unit),
  }
}

/** What is known of a unit; undefined unless its tools are known whole. */
function wholeEntry(catalog: Catalog, unit: ServerStatus['server']): CatalogEntry | undefined {
  const entry = catalog.entryOf(qualifiedName(unit))
  return entry?.beyond?.tools === undefined ? entry : undefined
}

interface FleetOptions {
  config: ActiveConfig
  control: ServerControl
  instances: Instances
  totals: UnitTotals
  eraOf: (unit: string) => Era | undefined
  catalog: Catalog
  trust: Trust
  /** The configuration was replaced. */
  onReplaced: () => void
}

function createFleet(options: FleetOptions): Fleet {
  const { config, control, instances, totals, eraOf, catalog, trust, onReplaced } = options

  function statusOf(server: ServerStatus['server']): ServerStatus {
    const name = qualifiedName(server)
    const statuses = instances.named(name).map((instance) => instance.status())
    const sharing = instances.sharing(server)
    return { server, era: eraOf(name), sharing, instances: statuses, ...totals.of(name) }
  }

  return {
    control,
    get servers() {
      return config.configured.servers
    },
    get units() {
      return config.units
    },
    get disabled() {
      return config.configured.disabled ?? []
    },
    get profiles() {
      return config.profiles
    },
    get permissions() {
      return config.permissions
    },
    status: () => [...config.units.values()].map(statusOf),
    statusOf,
    unmatched: () => describeUnmatched(config.configured, (unit) => wholeEntry(catalog, unit)),
    replace(configured) {
      const replaced = config.replace(configured)
      catalog.replace(configured.servers)
      trust.forget()
      for (const name of replaced.removed) control.remove(name)
      for (const name of replaced.changed) control.restart(name)
      onReplaced()
      return replaced
    },
    close: () => instances.stop(),
  }
}
