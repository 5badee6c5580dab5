import type { IncomingMessage } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import { createAdmission, DoorError, openDoor, type Route } from '@pith-mcp/door'
import { UsageError } from '../settings.ts'

export interface HttpOptions {
  /** `[host:]port`. */
  address: string
  /** Asked for as a bearer token; without it the server listens on this machine only. */
  token: string | undefined
  /** Names under which the server is reached, beside that of this machine. */
  hosts: readonly string[]
  createServer: () => McpServer
  onError: (error: unknown) => void
}

export interface HttpServing {
  url: string
  close(): Promise<void>
}

const path = '/mcp'

/** Serve MCP over Streamable HTTP. @throws {UsageError} for an address that is none, or too open. */
export async function serveHttp(options: HttpOptions): Promise<HttpServing> {
  const { address, token, hosts, onError } = options
  const handler = createMcpHandler(options.createServer, { onerror: onError })
  const answer = toNodeHandler(handler, { onerror: onError })
  const route: Route = {
    name: 'mcp',
    scope: 'mcp',
    replies: 'own',
    matches: (asked) => asked === path,
    isEndless: ({ method, headers }) =>
      method === 'GET' || headers['mcp-method'] === 'subscriptions/listen',
    handle: (request, response) =>
      answer(request as IncomingMessage & { method: string; url: string }, response),
  }
  const nothingHere = `There is nothing here; MCP is served at ${path}.`
  const admission = createAdmission({ owner: token })
  const door = await openDoor({
    address,
    hosts,
    admission,
    routes: [route],
    nothingHere,
    onError,
  }).catch(asUsageError)
  return {
    url: `${door.url}${path}`,
    async close() {
      await door.close()
      await handler.close()
    },
  }
}

function asUsageError(error: unknown): never {
  if (!(error instanceof DoorError)) throw error
  const remedy = error.code === 'too_open' ? ' Set DOCS_MCP_TOKEN, or listen on 127.0.0.1.' : ''
  throw new UsageError(`--http ${error.message}${remedy}`)
}
