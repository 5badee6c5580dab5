import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { type Access, hostKey, isPublicAddress } from '../access/access.ts'
import { DocsError } from '../docs-error.ts'

/**
 * Connections that only reach public addresses and the hosts the operator named. Every address is
 * judged before it is dialled and once more on the open socket, so neither an address written out,
 * nor a name that resolves inside, nor a redirect gets through.
 */
export function createGuardedAgent(access: Access, timeoutMs: number): Agent {
  const connect = buildConnector({ timeout: timeoutMs })
  const connectPublic = buildConnector({ timeout: timeoutMs, lookup: lookupPublic })
  return new Agent({
    connections: 8,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect(options, callback) {
      const hostname = options.hostname.replace(/^\[|\]$/g, '')
      if (access.namedHosts.has(hostKey(options.hostname, options.port, options.protocol)))
        return connect(options, callback)
      if (isIP(hostname) && !isPublicAddress(hostname)) return callback(refused(hostname), null)
      connectPublic(options, (error, socket) => {
        if (error) return callback(error, null)
        if (socket.remoteAddress !== undefined && !isPublicAddress(socket.remoteAddress)) {
          socket.destroy()
          return callback(refused(hostname), null)
        }
        callback(null, socket)
      })
    },
  })
}

type LookupCallback = (
  error: Error | null,
  address: string | { address: string; family: number }[],
  family?: number,
) => void

function lookupPublic(hostname: string, options: object, callback: LookupCallback): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    const open = addresses.filter(({ address }) => isPublicAddress(address))
    const [first] = open
    if (!first) return callback(refused(hostname), [])
    if ('all' in options && options.all) callback(null, open)
    else callback(null, first.address, first.family)
  })
}

function refused(hostname: string): DocsError {
  return new DocsError(
    'not_allowed',
    `${hostname} is not a public address.`,
    'Pages on this machine or a private network can be read once the server is started with their site as a source.',
  )
}
