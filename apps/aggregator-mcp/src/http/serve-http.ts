import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node'
import { type Aggregator, createHttpHandler } from '@pith-mcp/aggregator'
import { UsageError } from '../usage-error.ts'
import { admit, type Door, path } from './admit.ts'

export interface HttpOptions {
  /** `[host:]port`. */
  address: string
  /** Who may come in, asked at each request. */
  door: () => Door
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

const ownNames = ['localhost', '127.0.0.1', '[::1]']
const headersTimeoutMs = 20_000
const mostBytes = 16 * 1024 * 1024

/** Serve MCP over Streamable HTTP. @throws {UsageError} for an address that is none, or too open. */
export async function serveHttp(options: HttpOptions): Promise<HttpServing> {
  const { address, door, aggregator, onError } = options
  const { host, port } = parseAddress(address)
  const isOwn = ownNames.includes(host) || host === '::1'
  if (!isOwn && !door().isLocked)
    throw new UsageError(
      `--http ${address}: other machines could use it. Set AGGREGATOR_MCP_TOKEN or callers in the configuration, or listen on 127.0.0.1.`,
    )
  const names = [...new Set([...ownNames, host, ...options.hosts])]
  const isHostKnown = hostHeaderValidation(names)
  const isOriginKnown = originValidation(names)
  const handler = createHttpHandler(aggregator, { onError, maxRequestBytes: mostBytes })
  const answer = toNodeHandler(handler, { onerror: onError, maxRequestBodySize: mostBytes })
  const server = createServer((request, response) => {
    if (!isHostKnown(request, response) || !isOriginKnown(request, response)) return
    const admission = admit(request, door())
    if ('status' in admission) {
      if (admission.status === 401) response.setHeader('www-authenticate', 'Bearer')
      return refuse(response, admission.status, admission.text)
    }
    // Clients without a session are told apart by where they come from.
    const auth = {
      token: '',
      clientId: request.socket.remoteAddress ?? '',
      scopes: [],
      extra: { ...admission.access },
    }
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

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`)
}
