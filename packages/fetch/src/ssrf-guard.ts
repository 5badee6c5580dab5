import { isIP, type LookupFunction } from 'node:net'
import {
  AddressRefused,
  bareHost,
  isLocalName,
  pinnedLookup,
  resolveAllowed,
} from '@pith-mcp/ssrf-guard'
import type { Dispatcher } from 'undici/index.js'
import { DocsError, quoteValue } from '#formats/docs-error'
import { type Access, hostKey, isHostOf, isOpenAddress } from './access.ts'

/** Proxies, in the meaning of the variables `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. */
export interface ProxyOptions {
  http?: string | undefined
  https?: string | undefined
  /** Hosts that are reached directly, separated by commas. */
  noProxy?: string | undefined
}

/**
 * Connects to public addresses and those that the operator allowed, and to no others. Every address
 * is checked before connecting and again on the open socket, so a literal address, a name that
 * resolves to a private address and a redirect are all rejected. A proxy resolves names itself;
 * then only `checkHost` applies.
 */
export async function createSsrfGuardedAgent(
  access: Access,
  timeoutMs: number,
  proxy: ProxyOptions = {},
): Promise<Dispatcher> {
  // To load it takes as long as a tenth of a first search in files.
  const { buildConnector, EnvHttpProxyAgent } = await import('undici/index.js')
  /** Keeps the allowed addresses of those that a name resolves to. */
  const lookupOpen: LookupFunction = (hostname, options, callback) => {
    resolveAllowed(hostname, (address) => isOpenAddress(address, access)).then(
      (addresses) => pinnedLookup(addresses)(hostname, options, callback),
      (error: Error) =>
        callback(error instanceof AddressRefused ? refused(hostname) : error, '', 0),
    )
  }
  const connect = buildConnector({ timeout: timeoutMs })
  const connectOpen = buildConnector({ timeout: timeoutMs, lookup: lookupOpen })
  return new EnvHttpProxyAgent({
    // Set even if empty; otherwise undici reads the environment.
    httpProxy: proxy.http ?? '',
    httpsProxy: proxy.https ?? proxy.http ?? '',
    noProxy: proxy.noProxy ?? '',
    // Plain HTTP goes to the proxy as a request: few proxies allow a CONNECT tunnel to port 80.
    proxyTunnel: false,
    connections: 8,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect(options, callback) {
      const hostname = bareHost(options.hostname)
      if (access.namedHosts.has(hostKey(options))) return connect(options, callback)
      if (isIP(hostname) && !isOpenAddress(hostname, access))
        return callback(refused(hostname), null)
      connectOpen(options, (error, socket) => {
        if (error) return callback(error, null)
        if (socket.remoteAddress !== undefined && !isOpenAddress(socket.remoteAddress, access)) {
          socket.destroy()
          return callback(refused(hostname), null)
        }
        callback(null, socket)
      })
    },
  })
}

/**
 * Checks that need no connection: allowed hosts, literal addresses and local names.
 *
 * @throws {DocsError} `not_allowed`
 */
export function checkHost(url: string, access: Access): void {
  const place = new URL(url)
  const { hostname } = place
  if (access.namedHosts.has(hostKey(place))) return
  if (access.only.length > 0 && !isHostOf(hostname, access.only))
    throw new DocsError(
      'not_allowed',
      `${quoteValue(hostname)} is not one of the allowed hosts.`,
      `Pass a URL of ${access.only.slice(0, 5).join(', ')} or of a source.`,
    )
  const name = bareHost(hostname)
  if (isIP(name) ? !isOpenAddress(name, access) : isLocalName(name)) throw refused(name)
}

const refused = (hostname: string): DocsError =>
  new DocsError(
    'not_allowed',
    `${hostname} is not a public address.`,
    'To read pages on this machine or a private network, configure their site as a source or allow the network in the settings.',
    { setting: 'networks' },
  )
