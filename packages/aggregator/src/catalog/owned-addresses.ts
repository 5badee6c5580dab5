import type { ServerConfig } from '../config/server-config.ts'
import type { Fields } from '../protocol/message.ts'
import type { Trust } from './trust/trust.ts'
import type { Known } from './view-options.ts'

export interface OwnedAddress {
  server: ServerConfig
  address: string
}

/**
 * Addresses stay as they are, since results name them. One that another server has already gets the
 * name of its server before its scheme.
 */
export function ownedIn(
  known: readonly Known[],
  kind: 'resources' | 'resourceTemplates',
  field: 'uri' | 'uriTemplate',
  trust: Trust,
): { items: Fields[]; owners: Map<string, OwnedAddress> } {
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

/** Letters, digits and `-` are all that a scheme may have, and a letter comes first. */
const schemeOf = ({ name }: ServerConfig): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^(?=[^a-z])/, 's')
