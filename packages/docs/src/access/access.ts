import ipaddr from 'ipaddr.js'

/** What may be reached: the whole public web, and of everything else only what was named. */
export interface Access {
  /** Host and port of sources that the operator named, private or not: `localhost:8080`. */
  readonly namedHosts: ReadonlySet<string>
  /** Folders and files that may be read, as real paths. */
  readonly roots: readonly string[]
}

/** True for an address of the public internet: not loopback, private, link-local or reserved. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // An IPv4 address in IPv6 clothes is judged as what it is.
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv6' && isIPv4Compatible(parsed as ipaddr.IPv6)) return false
  return parsed.range() === 'unicast'
}

/** `::a.b.c.d`, long out of use, and dialled all the same. */
const isIPv4Compatible = ({ parts }: ipaddr.IPv6): boolean =>
  parts.slice(0, 6).every((part) => part === 0)

/** Host and port as `Access.namedHosts` holds them. */
export function hostKey(hostname: string, port: string, protocol: string): string {
  return `${hostname.toLowerCase()}:${port || (protocol === 'https:' ? '443' : '80')}`
}
