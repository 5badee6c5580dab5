import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { SecureContextOptions } from 'node:tls'
import { HttpEndpointError } from './protocol/http-endpoint-error.ts'
import type { GuessBounds } from './rejections/guess-limit.ts'

/** Limits of connections. Times are milliseconds. */
export interface Bounds extends GuessBounds {
  /** For the head of a request, and for a TLS handshake. */
  headersMs: number
  /** For a whole request with its body; replies are not limited. */
  requestMs: number
  /** Until an idle connection is closed. */
  idleMs: number
  /** Of the request line and the headers. */
  headerBytes: number
  connections: number
  /** The part of `connections` from which idle ones are closed for new ones. */
  crowdedAt: number
  /** Connections of an address that have sent no valid credential. */
  strangers: number
  /** For the first head, and between requests, without a valid credential; also in a crowd. */
  strangerMs: number
  /** Before it, a connection does not count as idle: what it has sent may not have been read. */
  graceMs: number
}

/**
 * `idleMs` exceeds the minute for which proxies keep connections, so that they never find them
 * closed.
 */
export const defaultBounds: Bounds = {
  headersMs: 20_000,
  requestMs: 120_000,
  idleMs: 75_000,
  headerBytes: 16 * 1024,
  connections: 2_000,
  crowdedAt: 0.8,
  strangers: 64,
  strangerMs: 5_000,
  graceMs: 250,
  guesses: 20,
  guessMs: 3_000,
  guessers: 10_000,
}

/** A server that is not listening yet; with `tls`, it serves nothing else. */
export function createBoundedServer(bounds: Bounds, tls?: SecureContextOptions): Server {
  const { headersMs, requestMs, idleMs, headerBytes, connections } = bounds
  const options = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: Math.min(5_000, headersMs / 2),
    maxHeaderSize: headerBytes,
    insecureHTTPParser: false,
    // Checked by `checkHost`, so that it is logged.
    requireHostHeader: false,
  }
  const server = tls
    ? createSecureServer({ ...options, ...tls, handshakeTimeout: headersMs })
    : createServer(options)
  server.maxConnections = connections
  // Unlimited: a dropped header could be a relevant one.
  server.maxHeadersCount = 0
  return server
}

const listenProblems: Readonly<Record<string, string>> = {
  EACCES: 'needs more rights',
  EADDRINUSE: 'is already in use',
  EADDRNOTAVAIL: 'is not an address of this machine',
}

/** The real port, also if `port` is 0. @throws {HttpEndpointError} `cannot_listen` */
export async function listen(
  server: Server,
  address: string,
  host: string,
  port: number,
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new HttpEndpointError(
          'cannot_listen',
          `${address} ${listenProblems[error.code ?? ''] ?? 'cannot be used'} (${error.code ?? error.message}).`,
          error,
        ),
      ),
    )
    server.listen(port, host.replace(/^\[|\]$/g, ''), resolve)
  })
  const bound = server.address()
  return typeof bound === 'object' && bound ? bound.port : port
}
