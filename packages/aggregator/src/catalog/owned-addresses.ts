import type { ServerConfig } from '../config/server-config.ts'
import type { JsonObject } from '../protocol/message.ts'
import { unitName } from '../protocol/unit.ts'
import type { Trust } from './trust/trust.ts'
import type { Known } from './view-options.ts'

export interface OwnedAddress {
  server: ServerConfig
  address: string
}

/**
 * Keeps URIs unchanged, since results refer to them. A URI that another server already has gets the
 * server's name as a prefix of its scheme, and those of accounts other than the default one get
 * `server-account`.
 */
export function ownedIn(
  known: readonly Known[],
  kind: 'resources' | 'resourceTemplates',
  field: 'uri' | 'uriTemplate',
  trust: Trust,
): { items: JsonObject[]; owners: Map<string, OwnedAddress> } {
  const owners = new Map<string, OwnedAddress>()
  const items = known.flatMap(({ units, standard }) =>
    units.flatMap(({ unit: server, entry }) =>
      entry[kind].flatMap((item) => {
        if (trust.isSuspicious(item)) return []
        const address = item[field]
        if (typeof address !== 'string' || owners.get(address)?.server === server) return []
        const isOther = server !== standard
        const isPrefixed = isOther || owners.has(address)
        const exposed = isPrefixed ? `${schemeOf(server, isOther)}+${address}` : address
        if (owners.has(exposed)) return []
        owners.set(exposed, { server, address })
        const title = isOther && `${item['title'] ?? item['name']} (${server.account})`
        return [isPrefixed ? { ...item, ...(title && { title }), [field]: exposed } : item]
      }),
    ),
  )
  return { items, owners }
}

/** RFC 3986: a scheme begins with a letter; `.` and `+` are not used here. */
export const schemeOf = (server: ServerConfig, isOther: boolean): string =>
  (isOther ? unitName(server) : server.name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^(?=[^a-z])/, 's')
