import ipaddr from 'ipaddr.js'

/**
 * `public`: an address of the internet. `loopback`: of this machine. `private`: of a private
 * network. `forbidden`: never a legitimate target: link-local, unspecified, cloud metadata,
 * multicast, reserved, or another address embedded in IPv6.
 */
export type AddressKind = 'public' | 'private' | 'loopback' | 'forbidden'

/** Metadata services of clouds whose range is public or private. */
const metadataAddresses: ReadonlySet<string> = new Set([
  '100.100.100.200',
  '168.63.129.16',
  '169.254.169.254',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
])

/** Maps the ranges of `ipaddr.js`; all others are forbidden. */
const kinds: ReadonlyMap<string, AddressKind> = new Map([
  ['unicast', 'public'],
  ['loopback', 'loopback'],
  ['private', 'private'],
  ['carrierGradeNat', 'private'],
  ['uniqueLocal', 'private'],
])

/** IPv6 addresses whose last parts are an IPv4 address that a gateway connects to (NAT64). */
const nat64 = ipaddr.parseCIDR('64:ff9b::/96')
const global = ipaddr.parseCIDR('2000::/3')
/** `fec0::/10`, the deprecated predecessor of `fc00::/7`, which is still routed. */
const siteLocal = ipaddr.parseCIDR('fec0::/10')

/** The kind of an address, with or without brackets. Anything but an address is forbidden. */
export function addressKind(text: string): AddressKind {
  const literal = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  if (!ipaddr.isValid(literal)) return 'forbidden'
  const address = ipaddr.parse(literal)
  const normal = address.toString()
  if (metadataAddresses.has(normal)) return 'forbidden'
  if (address instanceof ipaddr.IPv6) {
    // `::ffff:a.b.c.d` and `::a.b.c.d` could bypass a check of IPv4 addresses, and have no other
    // use here.
    if (address.isIPv4MappedAddress() || isIPv4Compatible(address)) {
      return normal === '::1' ? 'loopback' : 'forbidden'
    }
    if (address.match(nat64 as [ipaddr.IPv6, number])) return embedded(address)
    if (address.match(siteLocal as [ipaddr.IPv6, number])) return 'private'
    // No other ranges are assigned; ISATAP embeds an IPv4 address.
    const isGlobal = address.match(global as [ipaddr.IPv6, number])
    if (address.range() === 'unicast' && (!isGlobal || isIsatap(address))) return 'forbidden'
  }
  return kinds.get(address.range()) ?? 'forbidden'
}

const isIsatap = ({ parts }: ipaddr.IPv6): boolean =>
  parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200)

const isIPv4Compatible = ({ parts }: ipaddr.IPv6): boolean =>
  parts.slice(0, 6).every((part) => part === 0)

/** In a network without IPv4, NAT64 addresses embed public addresses; others must not occur. */
function embedded({ parts }: ipaddr.IPv6): AddressKind {
  const [high = 0, low = 0] = parts.slice(6)
  const inner = [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
  return addressKind(inner) === 'public' ? 'public' : 'forbidden'
}
