import { isIP, type LookupFunction } from 'node:net'

/** For `lookup` of a socket: gives addresses that were resolved before, whatever is asked. */
export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (host, options, callback) => {
    const wanted = all.filter(
      ({ family }) => !options.family || family === familyOf(options.family),
    )
    const [first] = wanted
    if (!first) callback(new Error(`${host} has no address of that family`), '', 0)
    else if (options.all) callback(null, wanted)
    else callback(null, first.address, first.family)
  }
}

const familyOf = (family: number | 'IPv4' | 'IPv6'): number =>
  family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family
