import type { ServerConfig } from '../config/server-config.ts'
import type { JsonObject } from '../protocol/message.ts'
import type { Trust } from './trust/trust.ts'
import type { Known } from './view-options.ts'

export interface OwnedAddress {
  server: ServerConfig
  address: string
}

/**
 * Keeps URIs unchanged, since results refer to them. A URI that another server already has gets the
 * server's name as a prefix of its scheme.
 */
export function ownedIn(
  known: readonly Known[],
  kind: 'resources' | 'resourceTemplates',
  field: 'uri' | 'uriTemplate',
  trust: Trust,
): { items: JsonObject[]; owners: Map<string, OwnedAddress> } {
  const owners = new Map<string, OwnedAddress>()
  const items = known.flatMap(({ units, standard: server }) => {
    const found = units.find(({ unit }) => unit === server)?.entry[kind] ?? []
    return found.flatMap((item) => {
      if (trust.isSuspicious(item)) return []
      const address = item[field]
      if (typeof address !== 'string' || owners.get(address)?.server === server) return []
      const isTaken = owners.has(address)
      const exposed = isTaken ? `${schemeOf(server)}+${address}` : address
      if (owners.has(exposed)) return []
      owners.set(exposed, { server, address })
      return [isTaken ? { ...item, [field]: exposed } : item]
    })
  })
  return { items, owners }
}

/** RFC 3986: a scheme begins with a letter; `.` and `+` are not used here. */
const schemeOf = ({ name }: ServerConfig): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^(?=[^a-z])/, 's')
