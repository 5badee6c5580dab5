import type { IncomingMessage } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import {
  createAuthenticator,
  HttpEndpointError,
  openHttpEndpoint,
  type Route,
} from '@pith-mcp/server-kit'
import { UsageError } from '../settings.ts'

export interface HttpOptions {
  /** `[host:]port`. */
  address: string
  /** Required as a bearer token; without it the server listens on the loopback interface only. */
  token: string | undefined
  /** Host names of the server in addition to that of this machine. */
  hosts: readonly string[]
  createServer: () => McpServer
  onError: (error: unknown) => void
}

export interface HttpServing {
  url: string
  close(): Promise<void>
}

const path = '/mcp'

/**
 * Serve MCP over Streamable HTTP.
 *
 * @throws {UsageError} for an invalid address, or a public one without a token.
 */
export async function serveHttp(options: HttpOptions): Promise<HttpServing> {
  const { address, token, hosts, onError } = options
  const handler = createMcpHandler(options.createServer, { onerror: onError })
  const answer = toNodeHandler(handler, { onerror: onError })
  const route: Route = {
    name: 'mcp',
    scope: 'mcp',
    replies: 'own',
    matches: (requested) => requested === path,
    isStream: ({ method, headers }) =>
      method === 'GET' || headers['mcp-method'] === 'subscriptions/listen',
    handle: (request, response) =>
      answer(request as IncomingMessage & { method: string; url: string }, response),
  }
  const notFoundText = `Not found. MCP is served at ${path}.`
  const authenticator = createAuthenticator({ owner: token })
  const endpoint = await openHttpEndpoint({
    address,
    hosts,
    authenticator,
    routes: [route],
    notFoundText,
    onError,
  }).catch(asUsageError)
  return {
    url: `${endpoint.url}${path}`,
    async close() {
      await endpoint.close()
      await handler.close()
    },
  }
}

function asUsageError(error: unknown): never {
  if (!(error instanceof HttpEndpointError)) throw error
  const remedy = error.code === 'too_open' ? ' Set DOCS_MCP_TOKEN, or listen on 127.0.0.1.' : ''
  throw new UsageError(`--http ${error.message}${remedy}`)
}
