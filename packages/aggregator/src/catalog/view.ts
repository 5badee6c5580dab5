import type { ServerConfig } from '../config/server-config.ts'
import { exposeNames } from '../names/exposed-names.ts'
import { abilitiesKey } from '../upstream/abilities.ts'
import type { Fields } from '../upstream/connection.ts'
import type { Catalog } from './catalog.ts'
import type { CatalogEntry } from './catalog-entry.ts'

/** Something of one server, under the name it has for clients. */
export interface Offer {
  server: ServerConfig
  /** As the server calls it. */
  name: string
  exposed: string
  /** As the server gave it. */
  definition: Fields
}

/** What clients with certain abilities can see of all servers. */
export interface View {
  tools: readonly Offer[]
  prompts: readonly Offer[]
  resources: readonly Fields[]
  resourceTemplates: readonly Fields[]
  toolCalled(exposed: string): Offer | undefined
  promptCalled(exposed: string): Offer | undefined
  toolsOf(server: string): readonly Offer[]
  tool(server: string, name: string): Offer | undefined
  /** Whose the URI or template is, and what it is called there. */
  ownerOfResource(uri: string): OwnedAddress | undefined
  ownerOfTemplate(template: string): OwnedAddress | undefined
  entryOf(server: string): CatalogEntry | undefined
  /** Servers of which nothing is known yet. */
  unknown: readonly ServerConfig[]
}

export interface OwnedAddress {
  server: ServerConfig
  address: string
}

/** Makes views, each once for a state of the catalog. */
export function createViews(
  catalog: Catalog,
  servers: readonly ServerConfig[],
  withServer: boolean,
  reserved: readonly string[] = [],
): (capabilities: Fields) => View {
  let version = -1
  let views = new Map<string, View>()
  const keys = new WeakMap<Fields, string>()
  return (capabilities) => {
    if (version !== catalog.version) {
      version = catalog.version
      views = new Map()
    }
    let key = keys.get(capabilities)
    if (key === undefined) {
      key = abilitiesKey(capabilities)
      keys.set(capabilities, key)
    }
    let view = views.get(key)
    if (view === undefined) {
      view = createView(catalog, servers, key, withServer, reserved)
      views.set(key, view)
    }
    return view
  }
}

function createView(
  catalog: Catalog,
  servers: readonly ServerConfig[],
  abilities: string,
  withServer: boolean,
  reserved: readonly string[],
): View {
  const known = servers.flatMap((server) => {
    const entry = catalog.entryOf(server.name, abilities)
    return entry ? [{ server, entry }] : []
  })
  const tools = offersIn(known, 'tools', withServer, reserved)
  const prompts = offersIn(known, 'prompts', withServer, [])
  const resources = ownedIn(known, 'resources', 'uri')
  const templates = ownedIn(known, 'resourceTemplates', 'uriTemplate')
  const byExposed = new Map(tools.map((offer) => [offer.exposed, offer]))
  const promptsByExposed = new Map(prompts.map((offer) => [offer.exposed, offer]))
  const byServer = groupedByServer(tools)
  const byName = new Map(tools.map((offer) => [`${offer.server.name}\0${offer.name}`, offer]))
  return {
    tools,
    prompts,
    resources: resources.items,
    resourceTemplates: templates.items,
    toolCalled: (exposed) => byExposed.get(exposed),
    promptCalled: (exposed) => promptsByExposed.get(exposed),
    toolsOf: (server) => byServer.get(server) ?? [],
    tool: (server, name) => byName.get(`${server}\0${name}`),
    ownerOfResource: (uri) => resources.owners.get(uri),
    ownerOfTemplate: (template) => templates.owners.get(template),
    entryOf: (server) => known.find((one) => one.server.name === server)?.entry,
    unknown: servers.filter((server) => !known.some((one) => one.server === server)),
  }
}

interface Known {
  server: ServerConfig
  entry: CatalogEntry
}

function offersIn(
  known: readonly Known[],
  kind: 'tools' | 'prompts',
  withServer: boolean,
  reserved: readonly string[],
): Offer[] {
  const found = known.flatMap(({ server, entry }) => {
    const names = new Set<unknown>()
    return entry[kind].flatMap((definition) => {
      const { name } = definition
      if (typeof name !== 'string' || name === '' || names.has(name)) return []
      names.add(name)
      return [{ server, name, definition }]
    })
  })
  const owned = found.map(({ server, name }) => ({ server: server.name, name }))
  const names = exposeNames(owned, withServer, reserved)
  return found.map((offer) => ({
    ...offer,
    exposed: names.of({ server: offer.server.name, name: offer.name }),
  }))
}

/**
 * Addresses stay as they are, since results name them. One that another server has already gets the
 * name of its server before its scheme.
 */
function ownedIn(
  known: readonly Known[],
  kind: 'resources' | 'resourceTemplates',
  field: 'uri' | 'uriTemplate',
): { items: Fields[]; owners: Map<string, OwnedAddress> } {
  const owners = new Map<string, OwnedAddress>()
  const items = known.flatMap(({ server, entry }) =>
    entry[kind].flatMap((item) => {
      const address = item[field]
      if (typeof address !== 'string' || owners.get(address)?.server === server) return []
      const isTaken = owners.has(address)
      const exposed = isTaken ? `${schemeOf(server)}+${address}` : address
      if (owners.has(exposed)) return []
      owners.set(exposed, { server, address })
      return [isTaken ? { ...item, [field]: exposed } : item]
    }),
  )
  return { items, owners }
}

/** Letters, digits and `-` are all that a scheme may have, and a letter comes first. */
const schemeOf = ({ name }: ServerConfig): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^(?=[^a-z])/, 's')

function groupedByServer(tools: readonly Offer[]): Map<string, Offer[]> {
  const groups = new Map<string, Offer[]>()
  for (const tool of tools) {
    const group = groups.get(tool.server.name)
    if (group) group.push(tool)
    else groups.set(tool.server.name, [tool])
  }
  return groups
}
