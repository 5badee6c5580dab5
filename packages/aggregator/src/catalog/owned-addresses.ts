import type { ServerConfig } from '#servers/config/server-config'
import type { JsonObject } from '#servers/protocol/message'
import { schemeIn } from '#servers/protocol/normal-uri'
import { qualifiedName } from '#servers/protocol/server-account'
import { withSkillUris } from '#servers/protocol/skills'
import type { Known, ViewOptions } from './view-options.ts'

export interface OwnedAddress {
  server: ServerConfig
  address: string
  /** Of what is held: the rest of its folder is held with it. */
  isFolder?: boolean
}

export interface OwnedItems {
  items: JsonObject[]
  /** By the URI or template that clients see. */
  owners: Map<string, OwnedAddress>
  /** Items that are left out until they are approved, or for their text. */
  held: OwnedAddress[]
}

/**
 * Keeps URIs unchanged, since results refer to them. A URI that another server already has gets the
 * server's name as a prefix of its scheme, and those of accounts other than the default one get
 * `server-account`.
 */
export function ownedIn(
  modules: readonly Known[],
  kind: 'resources' | 'resourceTemplates' | 'skills',
  field: 'uri' | 'uriTemplate',
  { trust, withServer }: Pick<ViewOptions, 'trust' | 'withServer'>,
): OwnedItems {
  const owners = new Map<string, OwnedAddress>()
  const heldItems: OwnedAddress[] = []
  const items = modules.flatMap(({ units, standard }) =>
    units.flatMap(({ unit: server, entry }) =>
      entry[kind].flatMap((item) => {
        const address = item[field]
        if (typeof address !== 'string') return []
        const isHeld = trust.review(server, entry).has(address)
        if (isHeld) heldItems.push({ server, address, isFolder: kind === 'skills' })
        // Without a scheme of its own, a template would take the addresses of other servers.
        if (isHeld || schemeIn(address) === undefined) return []
        const isOther = server !== standard
        const uri = ownUri(address, server, { isOther, withServer })
        if (owners.get(uri)?.server === server) return []
        const exposed = owners.has(uri) ? `${schemeOf(server, isOther)}+${uri}` : uri
        if (owners.has(exposed)) return []
        owners.set(exposed, { server, address })
        const title = isOther && `${item['title'] ?? item['name']} (${server.account})`
        const expose = (uri: string) => ownUri(uri, server, { isOther, withServer })
        if (kind === 'skills') return [{ ...withSkillUris(item, expose), uri: exposed }]
        return [exposed !== address ? { ...item, ...(title && { title }), [field]: exposed } : item]
      }),
    ),
  )
  return { items, owners, held: heldItems }
}

/**
 * How a URI of a server is shown: those of apps and skills have the server as first segment, and
 * those of other accounts have it in their scheme.
 */
export function ownUri(
  uri: string,
  server: ServerConfig,
  { isOther, withServer }: { isOther: boolean; withServer: boolean },
): string {
  const owner = schemeOf(server, isOther)
  const [, scheme, rest] = withServer ? (ownSchemes.exec(uri) ?? []) : []
  if (scheme !== undefined) return `${scheme}${owner}/${rest}`
  return isOther ? `${owner}+${uri}` : uri
}

/** Clients know these schemes, so that they must stay. */
const ownSchemes = /^(ui:\/\/|skill:\/\/)(.*)$/s

/** RFC 3986: a scheme begins with a letter; `.` and `+` are not used here. */
export const schemeOf = (server: ServerConfig, isOther: boolean): string =>
  (isOther ? qualifiedName(server) : server.name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^(?=[^a-z])/, 's')
