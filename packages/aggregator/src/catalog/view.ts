import type { ServerConfig } from '../config/server-config.ts'
import type { Fields } from '../protocol/message.ts'
import { unitName } from '../protocol/unit.ts'
import type { CatalogEntry } from './entries/catalog-entry.ts'
import { exposedName } from './exposed-names.ts'
import { type AbsentTool, namePrompts, nameTools, type Offer, type UnitTools } from './offers.ts'
import { type OwnedAddress, ownedIn } from './owned-addresses.ts'
import type { Known, ViewOptions } from './view-options.ts'

/** What clients with certain abilities can see of all servers in their profile. */
export interface View {
  /** Nothing is kept from whoever sees it. */
  isWhole: boolean
  /** Names of tools and prompts begin with the name of their server. */
  withServer: boolean
  /** Each with its default account. */
  servers: readonly ServerConfig[]
  tools: readonly Offer[]
  /** Tools of the profile that cannot be called, and why. */
  absent: readonly AbsentTool[]
  prompts: readonly Offer[]
  resources: readonly Fields[]
  resourceTemplates: readonly Fields[]
  toolCalled(exposed: string): Offer | undefined
  /** By the name it would have. */
  absentCalled(exposed: string): AbsentTool | undefined
  promptCalled(exposed: string): Offer | undefined
  toolsOf(server: string): readonly Offer[]
  tool(server: string, name: string): Offer | undefined
  /** The accounts of a server that may be used, the default first; none of a server without. */
  accountsOf(server: string): readonly string[]
  /** What a server offers with one account, as far as that was asked. */
  unitTools(unit: ServerConfig): UnitTools | undefined
  /** The server with one of its accounts, if that may be used. */
  withAccount(server: string, account: string): ServerConfig | undefined
  /** Whose the URI or template is, and what it is called there. */
  ownerOfResource(uri: string): OwnedAddress | undefined
  ownerOfTemplate(template: string): OwnedAddress | undefined
  entryOf(server: string): CatalogEntry | undefined
  /** Servers of which nothing is known yet. */
  unknown: readonly ServerConfig[]
}

export function createView(options: ViewOptions): View {
  const { catalog, profile, abilities } = options
  const modules = profile.servers.map((server): Known => {
    const units = profile.unitsOf(server).flatMap((unit) => {
      const entry = catalog.entryOf(unitName(unit), abilities)
      return entry ? [{ unit, entry }] : []
    })
    return { server, units, standard: profile.unitsOf(server)[0] ?? server }
  })
  const known = modules.filter(({ units }) => units.length > 0)
  const offers = once(() => indexOffers(known, options))
  const resources = once(() => ownedIn(known, 'resources', 'uri', options.trust))
  const templates = once(() => ownedIn(known, 'resourceTemplates', 'uriTemplate', options.trust))
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
    entryOf: (server) => entries.get(server),
    unknown: modules.flatMap(({ units: own, standard }) =>
      own.some(({ unit }) => unit === standard) ? [] : [standard],
    ),
  }
}

/** Definitions are read and compared only when someone wants to see them. */
function indexOffers(known: readonly Known[], options: ViewOptions) {
  const { tools, absent, units } = nameTools(known, options)
  const prompts = namePrompts(known, options)
  return {
    tools,
    absent,
    units,
    prompts,
    byExposed: new Map(tools.map((offer) => [offer.exposed, offer])),
    absentByExposed: new Map(
      absent.map((tool) => [
        exposedName({ server: tool.server.name, name: tool.name }, options.withServer),
        tool,
      ]),
    ),
    promptsByExposed: new Map(prompts.map((offer) => [offer.exposed, offer])),
    byServer: groupedByServer(tools),
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

function groupedByServer(tools: readonly Offer[]): Map<string, Offer[]> {
  const groups = new Map<string, Offer[]>()
  for (const tool of tools) {
    const group = groups.get(tool.server.name)
    if (group) group.push(tool)
    else groups.set(tool.server.name, [tool])
  }
  return groups
}
