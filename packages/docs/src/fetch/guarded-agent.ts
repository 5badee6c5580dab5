import { isIP, type LookupFunction } from 'node:net'
import {
  AddressRefused,
  bareHost,
  isLocalName,
  pinnedLookup,
  resolveAllowed,
} from '@pith-mcp/ssrf-guard'
import { buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { DocsError } from '../common/docs-error.ts'
import { quoteValue } from '../common/quote-value.ts'
import { type Access, hostKey, isHostOf, isOpenAddress } from './access.ts'

/** Proxies, as the usual variables of the environment name them. */
export interface ProxyOptions {
  http?: string
  https?: string
  /** Hosts that are reached without it, separated by commas. */
  except?: string
}

/**
 * Connections that only reach public addresses and what the operator opened. Every address is judged
 * before it is dialled and once more on the open socket, so neither an address written out, nor a
 * name that resolves inside, nor a redirect gets through. Behind a proxy it is the proxy that
 * resolves names; then `checkHost` is what is left.
 */
export function createGuardedAgent(
  access: Access,
  timeoutMs: number,
  proxy: ProxyOptions = {},
): Dispatcher {
  /** Of the addresses that a name resolves to, those that may be dialled. */
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
    // Given, even if empty, so that nothing is read from the environment.
    httpProxy: proxy.http ?? '',
    httpsProxy: proxy.https ?? proxy.http ?? '',
    noProxy: proxy.except ?? '',
    // Pages without TLS are asked of the proxy itself: few let a tunnel lead to port 80.
    proxyTunnel: false,
    connections: 8,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect(options, callback) {
      const hostname = bareHost(options.hostname)
      if (access.namedHosts.has(hostKey(options.hostname, options.port, options.protocol)))
        return connect(options, callback)
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
 * What can be said of a URL before a connection is made.
 *
 * @throws {DocsError} `not_allowed`
 */
export function checkHost(url: string, access: Access): void {
  const { hostname, port, protocol } = new URL(url)
  if (access.namedHosts.has(hostKey(hostname, port, protocol))) return
  if (access.only.length > 0 && !isHostOf(hostname, access.only))
    throw new DocsError(
      'not_allowed',
      `${quoteValue(hostname)} is not one of the hosts that are read.`,
      `Pass a URL of ${access.only.slice(0, 5).join(', ')} or of a source.`,
    )
  const name = bareHost(hostname)
  if (isIP(name) ? !isOpenAddress(name, access) : isLocalName(name)) throw refused(name)
}

function refused(hostname: string): DocsError {
  return new DocsError(
    'not_allowed',
    `${hostname} is not a public address.`,
    'Pages on this machine or a private network can be read once the server is started with their site as a source, or with the network opened by --allow-network.',
  )
}
