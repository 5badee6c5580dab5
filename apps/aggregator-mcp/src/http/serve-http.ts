import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node'
import { type Aggregator, createHttpHandler } from '@pith-mcp/aggregator'
import { UsageError } from '../usage-error.ts'

export interface HttpOptions {
  /** `[host:]port`. */
  address: string
  /** Asked for as a bearer token; without it the server listens on this machine only. */
  token: string | undefined
  /** Names under which the server is reached, beside that of this machine. */
  hosts: readonly string[]
  aggregator: Aggregator
  onError: (error: unknown) => void
}

export interface HttpServing {
  url: string
  close(): Promise<void>
}

interface Addressed {
  method: string
  url: string
}

const path = '/mcp'
const ownNames = ['localhost', '127.0.0.1', '[::1]']
const headersTimeoutMs = 20_000
const mostBytes = 16 * 1024 * 1024

/** Serve MCP over Streamable HTTP. @throws {UsageError} for an address that is none, or too open. */
export async function serveHttp(options: HttpOptions): Promise<HttpServing> {
  const { address, token, aggregator, onError } = options
  const { host, port } = parseAddress(address)
  const isOwn = ownNames.includes(host) || host === '::1'
  if (!isOwn && token === undefined)
    throw new UsageError(
      `--http ${address}: other machines could use it. Set AGGREGATOR_MCP_TOKEN, or listen on 127.0.0.1.`,
    )
  const names = [...new Set([...ownNames, host, ...options.hosts])]
  const isHostKnown = hostHeaderValidation(names)
  const isOriginKnown = originValidation(names)
  const handler = createHttpHandler(aggregator, { onError, maxRequestBytes: mostBytes })
  const answer = toNodeHandler(handler, { onerror: onError, maxRequestBodySize: mostBytes })
  const server = createServer((request, response) => {
    if (!isHostKnown(request, response) || !isOriginKnown(request, response)) return
    if (request.url?.split('?')[0] !== path)
      return refuse(response, 404, `There is nothing here; MCP is served at ${path}.`)
    if (token !== undefined && !hasToken(request, token)) {
      response.setHeader('www-authenticate', 'Bearer')
      return refuse(response, 401, 'A bearer token is needed.')
    }
    // Clients without a session are told apart by where they come from.
    const auth = { token: '', clientId: request.socket.remoteAddress ?? '', scopes: [] }
    void answer(Object.assign(request, { auth }) as IncomingMessage & Addressed, response)
  })
  server.headersTimeout = headersTimeoutMs
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new UsageError(`--http ${address}: ${error.code ?? error.message}.`)),
    )
    server.listen(port, host.replace(/^\[|\]$/g, ''), resolve)
  })
  const bound = server.address()
  const realPort = typeof bound === 'object' && bound ? bound.port : port
  return {
    url: `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${realPort}${path}`,
    async close() {
      await handler.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function parseAddress(address: string): { host: string; port: number } {
  const [, host = '127.0.0.1', digits = ''] =
    /^(?:(\[[^\]]+\]|[^:]+):)?(\d{1,5})$/.exec(address) ?? []
  const port = Number(digits)
  if (digits === '' || port > 65_535)
    throw new UsageError(`--http ${address}: write it as PORT or HOST:PORT.`)
  return { host, port }
}

/** Compared in a time that does not depend on how much of it is right. */
function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const [, given = ''] = /^Bearer\s+(.+)$/i.exec(headers.authorization ?? '') ?? []
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`)
}
