import type { ServerConfig } from '#servers/config/server-config'
import { isForAppsOnly, showsApps } from '#servers/protocol/apps'
import { groupBy } from '#servers/protocol/group-by'
import { schemeIn } from '#servers/protocol/normal-uri'
import { qualifiedName } from '#servers/protocol/server-account'
import { namePrompts, nameTools } from './catalog-tools.ts'
import { type OwnedItems, ownedIn } from './owned-addresses.ts'
import { exposedName } from './policy/exposed-names.ts'
import type { Known, ViewOptions } from './view-options.ts'

/** What clients with certain capabilities see of the servers in their profile. */
export type ToolView = ReturnType<typeof createView>

export function createView(options: ViewOptions) {
  const { profile, capabilities } = options
  const modules = modulesOf(options)
  const knownModules = modules.filter(({ units }) => units.length > 0)
  const toolIndex = once(() => indexTools(knownModules, options))
  const resources = once(() => ownedIn(knownModules, 'resources', 'uri', options))
  const templates = once(() => ownedIn(knownModules, 'resourceTemplates', 'uriTemplate', options))
  const skills = once(() => ownedIn(knownModules, 'skills', 'uri', options))
  const schemes = once(() => schemesIn([resources(), templates(), skills()]))
  const units = new Map(profile.servers.map((server) => [server.name, profile.unitsOf(server)]))
  const entries = new Map(
    knownModules.map(({ server, units: moduleUnits, standard }) => [
      server.name,
      moduleUnits.find(({ unit }) => unit === standard)?.entry,
    ]),
  )
  return {
    /** The view is not restricted by a profile. */
    isWhole: profile.name === undefined,
    /** Names of tools and prompts are prefixed with the name of their server. */
    withServer: options.withServer,
    /** Each with its default account. */
    servers: profile.servers.map((server) => profile.unitsOf(server)[0] ?? server),
    /** Tools for models. */
    get tools() {
      return toolIndex().tools
    },
    /** Tools that only apps may call. */
    get appTools() {
      return toolIndex().appTools
    },
    /** The client shows apps. */
    showsApps: showsApps(capabilities),
    /** Tools of the profile that cannot be called, with the reason. */
    get absent() {
      return toolIndex().absent
    },
    get prompts() {
      return toolIndex().prompts
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
    toolCalled: (exposed: string) => toolIndex().byExposed.get(exposed),
    /** By its exposed name. */
    absentCalled: (exposed: string) => toolIndex().absentByExposed.get(exposed),
    promptCalled: (exposed: string) => toolIndex().promptsByExposed.get(exposed),
    toolsOf: (server: string) => toolIndex().byServer.get(server) ?? [],
    tool: (server: string, name: string) => toolIndex().byName.get(`${server}\0${name}`),
    /** The tools of a server with one account, if it was queried. */
    unitTools: (unit: ServerConfig) => toolIndex().units.get(qualifiedName(unit)),
    /** The allowed accounts of a server, the default first; empty for a server without accounts. */
    accountsOf: (server: string) =>
      (units.get(server) ?? []).flatMap(({ account }) => (account === undefined ? [] : [account])),
    /** The server with one of its accounts, if that is allowed. */
    withAccount: (server: string, account: string) =>
      units.get(server)?.find((unit) => unit.account === account),
    /** The server of a URI or template, and its URI there. */
    ownerOfResource: (uri: string) => resources().owners.get(uri),
    ownerOfTemplate: (template: string) => templates().owners.get(template),
    ownerOfSkill: (uri: string) => skills().owners.get(uri),
    /** Resources and skills that are not listed, for what they say or until they are approved. */
    get held() {
      return [...resources().held, ...templates().held, ...skills().held]
    },
    /** The schemes of the addresses that a server lists, in lower case. */
    schemesOf: (server: ServerConfig) => schemes().get(server.name) ?? new Set<string>(),
    entryOf: (server: string) => entries.get(server),
    /** Servers, or accounts of servers, without an entry in the catalog. */
    unknown: profile.servers
      .flatMap((server) => profile.unitsOf(server))
      .filter((unit) => options.catalog.entryOf(qualifiedName(unit)) === undefined),
  }
}

const modulesOf = ({ catalog, profile }: ViewOptions): Known[] =>
  profile.servers.map((server) => {
    const all = profile.unitsOf(server)
    const units = all.flatMap((unit) => {
      const entry = catalog.entryOf(qualifiedName(unit))
      return entry ? [{ unit, entry }] : []
    })
    return { server, units, standard: all[0] ?? server }
  })

/** Definitions are checked only when they are needed. */
function indexTools(modules: readonly Known[], options: ViewOptions) {
  const { tools: all, absent, units } = nameTools(modules, options)
  const tools = all.filter(({ definition }) => !isForAppsOnly(definition))
  const prompts = namePrompts(modules, options)
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

function schemesIn(lists: readonly OwnedItems[]): Map<string, Set<string>> {
  const schemes = new Map<string, Set<string>>()
  for (const { owners } of lists)
    for (const { server, address } of owners.values()) {
      const serverSchemes = schemes.get(server.name) ?? new Set<string>()
      schemes.set(server.name, serverSchemes.add(schemeIn(address) ?? ''))
    }
  return schemes
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
