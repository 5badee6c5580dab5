import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Of requests that came through trusted proxies. */
const forwarded = new WeakMap<IncomingMessage, string>()

/** The address of the client: that of the peer, or what a trusted proxy says. */
export const clientAddress = (request: IncomingMessage): string =>
  forwarded.get(request) ?? withoutMapping(request.socket.remoteAddress)

/** For a request that a trusted program passes on. */
export const noteClient = (request: IncomingMessage, address: string): void =>
  void forwarded.set(request, address)

/** Proxies by address or network, such as `10.0.0.0/8`. */
export function createTrustedProxies(networks: readonly string[]) {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const isShort = isIP(address) === 4
    list.addSubnet(address, Number(bits ?? (isShort ? 32 : 128)), isShort ? 'ipv4' : 'ipv6')
  }
  const isTrusted = (address: string): boolean =>
    networks.length > 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
  return {
    isTrusted: (peer: string | undefined): boolean => isTrusted(withoutMapping(peer)),
    /**
     * Notes the client of a request, for `clientAddress`. Each proxy appends its peer to
     * `X-Forwarded-For`; what is left of the last one that is not trusted, anyone can write.
     */
    note(request: IncomingMessage): void {
      let address = withoutMapping(request.socket.remoteAddress)
      if (!isTrusted(address)) return
      const hops = String(request.headers['x-forwarded-for'] ?? '').split(',')
      for (let hop = hops.pop(); hop !== undefined && isTrusted(address); hop = hops.pop()) {
        const hopAddress = addressIn(hop)
        if (hopAddress === undefined) break
        address = hopAddress
      }
      forwarded.set(request, address)
    },
  }
}

export type TrustedProxies = ReturnType<typeof createTrustedProxies>

/** Some proxies append a port, and write IPv6 in brackets. */
function addressIn(hop: string): string | undefined {
  const text = hop.trim()
  const [, bracketed, ipv4] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? []
  const address = bracketed ?? ipv4 ?? text
  return isIP(address) === 0 || address.includes('%') ? undefined : withoutMapping(address)
}

/** IPv4 as it is written where only IPv4 is used, too. */
const withoutMapping = (address = ''): string =>
  address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')

/** What one client is assumed to have: an IPv4 address, or the first 64 bits of IPv6. */
export function networkOf(address: string): string {
  const ip = withoutMapping(address)
  if (!ip.includes(':')) return ip
  const [first = '', second] = ip.split('::')
  const head = first.split(':').filter(Boolean)
  const tail = second?.split(':').filter(Boolean) ?? []
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}
