import { createServer, type Server } from 'node:http'
import type { Bounds } from './protocol/bounds.ts'
import { HttpEndpointError } from './protocol/http-endpoint-error.ts'

/** A server that is not listening yet. */
export function createBoundedServer(bounds: Bounds): Server {
  const { headersMs, requestMs, idleMs, headerBytes, connections } = bounds
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: Math.min(5_000, headersMs / 2),
    maxHeaderSize: headerBytes,
    insecureHTTPParser: false,
    // Checked by `checkHost`, so that it is logged.
    requireHostHeader: false,
  })
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
