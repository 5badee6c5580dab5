import { addressKind } from '@pith-mcp/ssrf-guard'
import ipaddr from 'ipaddr.js'
import { DocsError } from '#formats/docs-error'

/** What may be read: the public web, and beyond that only what the operator named. */
export interface Access {
  /** `host:port` of the sources that the operator named, private or not: `localhost:8080`. */
  readonly namedHosts: ReadonlySet<string>
  /** Real paths of the folders and files that may be read. */
  readonly roots: readonly string[]
  /** The URLs of the sites among the sources. */
  readonly sites: readonly string[]
  /** Networks that may be reached although they are not public. */
  readonly networks: readonly Network[]
  /** If not empty, no other hosts are read: `docs.example.org`, `*.example.org`. */
  readonly only: readonly string[]
}

export type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

/** @throws {DocsError} `bad_argument` for anything but `10.0.0.0/8`, `fd00::/8` or an address. */
export function parseNetwork(text: string): Network {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    const address = ipaddr.process(text)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  } catch (cause) {
    throw new DocsError(
      'bad_argument',
      `${JSON.stringify(text)} is not a valid network.`,
      'Write a network as 10.1.0.0/16, or as a single address.',
      { cause },
    )
  }
}

/** True for an address of the public internet or of an allowed network. */
export function isOpenAddress(address: string, { networks }: Pick<Access, 'networks'>): boolean {
  if (addressKind(address) === 'public') return true
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return networks.some(([network, bits]) => {
    if (parsed.kind() !== network.kind()) return false
    return parsed.match(network as ipaddr.IPv4, bits)
  })
}

/** True for the hosts that the operator named, as sources or as the only ones. */
export const isNamedHost = (url: URL, { namedHosts, only }: Access): boolean =>
  namedHosts.has(hostKey(url)) || isHostOf(url.hostname, only)

type HostPlace = Pick<URL, 'hostname' | 'port' | 'protocol'>

/** `host:port`, the form of the entries of `Access.namedHosts`. */
export function hostKey({ hostname, port, protocol }: HostPlace): string {
  return `${hostname.toLowerCase()}:${port || (protocol === 'https:' ? '443' : '80')}`
}

/**
 * True if a host equals one of the patterns, or is a subdomain of a pattern like `*.example.org`.
 */
export function isHostOf(hostname: string, patterns: readonly string[]): boolean {
  const host = hostname.toLowerCase()
  return patterns.some((pattern) => {
    const name = pattern.toLowerCase()
    return name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name
  })
}
