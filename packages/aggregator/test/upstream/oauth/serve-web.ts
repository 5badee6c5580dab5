import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

export interface WebServer {
  origin: string
  close(): Promise<void>
}

/** Says nothing for as long as the server lives. */
export const silence = 'silence'

type Answer = Response | typeof silence

/** A fetch handler on a free port of this machine. */
export async function serveWeb(
  handle: (request: Request) => Promise<Answer> | Answer,
): Promise<WebServer> {
  const server = createServer((incoming, outgoing) => {
    const gone = new AbortController()
    outgoing.on('close', () => gone.abort())
    const answer = async (): Promise<void> => {
      const response = await handle(await requestOf(incoming, gone.signal))
      if (response === silence) return
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      if (response.body === null) outgoing.end()
      else await pipeline(Readable.fromWeb(response.body as never), outgoing)
    }
    answer().catch((error) => {
      if (!outgoing.headersSent) outgoing.writeHead(500)
      outgoing.end(String(error))
    })
  })
  // A connection that ends while a busy machine sends a request on it would be an error.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function requestOf(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { method = 'GET', headers, url = '/' } = incoming
  const body = await buffer(incoming)
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: headers as Record<string, string>,
    signal,
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  })
}
