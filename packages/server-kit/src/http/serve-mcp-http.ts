import type { IncomingMessage } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import { UsageError } from '../settings/read-settings.ts'
import { createAuthenticator } from './auth/authenticator.ts'
import { openHttpEndpoint } from './open-http-endpoint.ts'
import type { OnLog, TlsFiles } from './open-tls-files.ts'
import { HttpEndpointError } from './protocol/http-endpoint-error.ts'
import type { Route } from './routes/route.ts'

/** Where to serve MCP, and to whom. */
export interface McpHttpOptions {
  /** `[host:]port`. */
  address: string
  /** The variable that sets the token, for error messages. */
  tokenVariable: string
  /** Required as a bearer token; without it the server listens on the loopback interface only. */
  token: string | undefined
  /** Host names of the server in addition to that of this machine. */
  hosts: readonly string[]
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies?: readonly string[] | undefined
  tls?: TlsFiles | undefined
  createServer: () => McpServer
  onLog?: OnLog | undefined
  onError: (error: unknown) => void
}

/** A listening MCP server. */
export type McpHttpServing = Awaited<ReturnType<typeof serveMcpHttp>>

const path = '/mcp'

/**
 * Serve MCP over Streamable HTTP.
 *
 * @throws {UsageError} for an invalid address, a public one without a token, or TLS files that cannot be
 * used.
 */
export async function serveMcpHttp(options: McpHttpOptions) {
  const { address, token, tokenVariable, hosts, trustedProxies, tls, onLog, onError } = options
  const handler = createMcpHandler(options.createServer, { onerror: onError })
  const answer = toNodeHandler(handler, { onerror: onError })
  const route: Route = {
    name: 'mcp',
    scope: 'mcp',
    methods: ['GET', 'POST', 'DELETE'],
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
    trustedProxies,
    tls,
    onLog,
    authenticator,
    routes: [route],
    notFoundText,
    onError,
  }).catch((error: unknown) => {
    throw inUsage(error, tokenVariable)
  })
  return {
    url: `${endpoint.url}${path}`,
    async close(): Promise<void> {
      await endpoint.close()
      await handler.close()
    },
  }
}

function inUsage(error: unknown, tokenVariable: string): unknown {
  if (!(error instanceof HttpEndpointError)) return error
  if (error.code === 'bad_tls') return new UsageError(error.message)
  const remedy = error.code === 'too_open' ? ` Set ${tokenVariable}, or listen on 127.0.0.1.` : ''
  return new UsageError(`--http ${error.message}${remedy}`)
}
