import ipaddr from 'ipaddr.js'

/**
 * `public`: of the internet. `loopback`: of this machine. `private`: of a network of one's own.
 * `forbidden`: nobody means it: link-local, unspecified, metadata of clouds, multicast, reserved, or
 * another address in the clothes of IPv6.
 */
export type AddressKind = 'public' | 'private' | 'loopback' | 'forbidden'

/** Public or private by their range, and answered by the cloud that a machine runs in. */
const metadataAddresses: ReadonlySet<string> = new Set([
  '100.100.100.200',
  '168.63.129.16',
  '169.254.169.254',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
])

/** By what `ipaddr.js` calls the range of an address; what is not here is forbidden. */
const kinds: ReadonlyMap<string, AddressKind> = new Map([
  ['unicast', 'public'],
  ['loopback', 'loopback'],
  ['private', 'private'],
  ['carrierGradeNat', 'private'],
  ['uniqueLocal', 'private'],
])

/** Of IPv6, those whose last parts are an address of IPv4 that a gateway dials. */
const nat64 = ipaddr.parseCIDR('64:ff9b::/96')
const global = ipaddr.parseCIDR('2000::/3')
/** `fec0::/10`: once what `fc00::/7` is now, and dialled all the same. */
const siteLocal = ipaddr.parseCIDR('fec0::/10')

/** Of an address as text, with brackets or without. What is none is forbidden. */
export function addressKind(text: string): AddressKind {
  const plain = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  if (!ipaddr.isValid(plain)) return 'forbidden'
  const address = ipaddr.parse(plain)
  const normal = address.toString()
  if (metadataAddresses.has(normal)) return 'forbidden'
  if (address instanceof ipaddr.IPv6) {
    // `::ffff:a.b.c.d` and `::a.b.c.d` are ways round a list of addresses, and have no other use.
    if (address.isIPv4MappedAddress() || isIPv4Compatible(address)) {
      return normal === '::1' ? 'loopback' : 'forbidden'
    }
    if (address.match(nat64 as [ipaddr.IPv6, number])) return embedded(address)
    if (address.match(siteLocal as [ipaddr.IPv6, number])) return 'private'
    // Of the rest nothing else is given out; ISATAP has an address of IPv4 at its end.
    const isGlobal = address.match(global as [ipaddr.IPv6, number])
    if (address.range() === 'unicast' && (!isGlobal || isIsatap(address))) return 'forbidden'
  }
  return kinds.get(address.range()) ?? 'forbidden'
}

const isIsatap = ({ parts }: ipaddr.IPv6): boolean =>
  parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200)

const isIPv4Compatible = ({ parts }: ipaddr.IPv6): boolean =>
  parts.slice(0, 6).every((part) => part === 0)

/** In a network without IPv4 all public addresses of it look so; no other one should. */
function embedded({ parts }: ipaddr.IPv6): AddressKind {
  const [high = 0, low = 0] = parts.slice(6)
  const inner = [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
  return addressKind(inner) === 'public' ? 'public' : 'forbidden'
}
