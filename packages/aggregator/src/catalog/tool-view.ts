import type { ServerConfig } from '../config/server-config.ts'
import { isForAppsOnly, showsApps } from '../protocol/apps.ts'
import { groupBy } from '../protocol/group-by.ts'
import type { JsonObject } from '../protocol/message.ts'
import { unitName } from '../protocol/unit.ts'
import {
  type AbsentTool,
  type CatalogTool,
  namePrompts,
  nameTools,
  type UnitTools,
} from './catalog-tools.ts'
import type { CatalogEntry } from './entries/catalog-entry.ts'
import { exposedName } from './exposed-names.ts'
import { type OwnedAddress, ownedIn } from './owned-addresses.ts'
import type { Known, ViewOptions } from './view-options.ts'

/** What clients with certain capabilities see of the servers in their profile. */
export interface ToolView {
  /** The view is not restricted by a profile. */
  isWhole: boolean
  /** Names of tools and prompts are prefixed with the name of their server. */
  withServer: boolean
  /** Each with its default account. */
  servers: readonly ServerConfig[]
  /** Tools for models. */
  tools: readonly CatalogTool[]
  /** Tools that only apps may call. */
  appTools: readonly CatalogTool[]
  /** The client shows apps. */
  showsApps: boolean
  /** Tools of the profile that cannot be called, with the reason. */
  absent: readonly AbsentTool[]
  prompts: readonly CatalogTool[]
  resources: readonly JsonObject[]
  resourceTemplates: readonly JsonObject[]
  skills: readonly JsonObject[]
  toolCalled(exposed: string): CatalogTool | undefined
  /** By its exposed name. */
  absentCalled(exposed: string): AbsentTool | undefined
  promptCalled(exposed: string): CatalogTool | undefined
  toolsOf(server: string): readonly CatalogTool[]
  tool(server: string, name: string): CatalogTool | undefined
  /** The allowed accounts of a server, the default first; empty for a server without accounts. */
  accountsOf(server: string): readonly string[]
  /** The tools of a server with one account, if it was queried. */
  unitTools(unit: ServerConfig): UnitTools | undefined
  /** The server with one of its accounts, if that is allowed. */
  withAccount(server: string, account: string): ServerConfig | undefined
  /** The server of a URI or template, and its URI there. */
  ownerOfResource(uri: string): OwnedAddress | undefined
  ownerOfTemplate(template: string): OwnedAddress | undefined
  ownerOfSkill(uri: string): OwnedAddress | undefined
  /** True if a listed skill is not approved. */
  isHeldSkill(skill: OwnedAddress): boolean
  entryOf(server: string): CatalogEntry | undefined
  /** Servers without an entry in the catalog. */
  unknown: readonly ServerConfig[]
}

export function createView(options: ViewOptions): ToolView {
  const { catalog, profile, abilities } = options
  const modules = profile.servers.map((server): Known => {
    const units = profile.unitsOf(server).flatMap((unit) => {
      const entry = catalog.entryOf(unitName(unit), abilities)
      return entry ? [{ unit, entry }] : []
    })
    return { server, units, standard: profile.unitsOf(server)[0] ?? server }
  })
  const known = modules.filter(({ units }) => units.length > 0)
  const offers = once(() => indexTools(known, options))
  const resources = once(() => ownedIn(known, 'resources', 'uri', options))
  const templates = once(() => ownedIn(known, 'resourceTemplates', 'uriTemplate', options))
  const skills = once(() => ownedIn(known, 'skills', 'uri', options))
  const units = new Map(profile.servers.map((one) => [one.name, profile.unitsOf(one)] as const))
  const entries = new Map(
    known.map(({ server, units: own, standard }) => [
      server.name,
      own.find(({ unit }) => unit === standard)?.entry,
    ]),
  )
  return {
    isWhole: profile.name === undefined,
    withServer: options.withServer,
    servers: profile.servers.map((server) => profile.unitsOf(server)[0] ?? server),
    get tools() {
      return offers().tools
    },
    get appTools() {
      return offers().appTools
    },
    showsApps: showsApps(JSON.parse(abilities) as JsonObject),
    get absent() {
      return offers().absent
    },
    get prompts() {
      return offers().prompts
    },
    get resources() {
      return resources().items
    },
    get resourceTemplates() {
      return templates().items
    },
    get skills() {
      return skills().items
    },
    toolCalled: (exposed) => offers().byExposed.get(exposed),
    absentCalled: (exposed) => offers().absentByExposed.get(exposed),
    promptCalled: (exposed) => offers().promptsByExposed.get(exposed),
    toolsOf: (server) => offers().byServer.get(server) ?? [],
    tool: (server, name) => offers().byName.get(`${server}\0${name}`),
    unitTools: (unit) => offers().units.get(unitName(unit)),
    accountsOf: (server) =>
      (units.get(server) ?? []).flatMap(({ account }) => (account === undefined ? [] : [account])),
    withAccount: (server, account) => units.get(server)?.find((unit) => unit.account === account),
    ownerOfResource: (uri) => resources().owners.get(uri),
    ownerOfTemplate: (template) => templates().owners.get(template),
    ownerOfSkill: (uri) => skills().owners.get(uri),
    isHeldSkill({ server, address }) {
      const entry = catalog.entryOf(unitName(server), abilities)
      return entry !== undefined && options.trust.review(server, entry).has(address)
    },
    entryOf: (server) => entries.get(server),
    unknown: modules.flatMap(({ units: own, standard }) =>
      own.some(({ unit }) => unit === standard) ? [] : [standard],
    ),
  }
}

/** Definitions are checked only when they are needed. */
function indexTools(known: readonly Known[], options: ViewOptions) {
  const { tools: all, absent, units } = nameTools(known, options)
  const tools = all.filter(({ definition }) => !isForAppsOnly(definition))
  const prompts = namePrompts(known, options)
  return {
    tools,
    appTools: all.filter(({ definition }) => isForAppsOnly(definition)),
    absent,
    units,
    prompts,
    byExposed: new Map(all.map((offer) => [offer.exposed, offer])),
    absentByExposed: new Map(
      absent.map((tool) => [
        exposedName({ server: tool.server.name, name: tool.name }, options.withServer),
        tool,
      ]),
    ),
    promptsByExposed: new Map(prompts.map((offer) => [offer.exposed, offer])),
    byServer: groupBy(tools, ({ server }) => server.name),
    byName: new Map(tools.map((offer) => [`${offer.server.name}\0${offer.name}`, offer])),
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
