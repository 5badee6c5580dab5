import { isIP, type LookupFunction } from 'node:net'

/** A `lookup` for sockets that returns previously resolved addresses for any name. */
export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (host, options, callback) => {
    const matching = all.filter(
      ({ family }) => !options.family || family === familyOf(options.family),
    )
    const [first] = matching
    if (!first) callback(new Error(`${host} has no address of the requested family`), '', 0)
    else if (options.all) callback(null, matching)
    else callback(null, first.address, first.family)
  }
}

const familyOf = (family: number | 'IPv4' | 'IPv6'): number =>
  family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family
