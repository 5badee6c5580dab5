import type { IncomingMessage } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { type Aggregator, createHttpHandler } from '@pith-mcp/aggregator'
import { attempt } from '@pith-mcp/base/attempt'
import type { ReplicaDirectory } from '@pith-mcp/replicas/directory/replica-directory'
import { clientAddress, type Route, readBody } from '@pith-mcp/server-kit'
import { authorizeProfile, isMcpPath, type ProfileRules } from './authorize-profile.ts'

const maxBytes = 16 * 1024 * 1024
const maxBodyMs = 120_000

/** MCP over Streamable HTTP. `rules` is called for each request. */
export function mcpRoute(
  aggregator: Aggregator,
  rules: () => ProfileRules,
  {
    onError,
    replicas,
  }: { onError: (error: unknown) => void; replicas?: ReplicaDirectory | undefined },
): { route: Route; close(): Promise<void> } {
  const handler = createHttpHandler(aggregator, { onError, maxRequestBytes: maxBytes })
  const answer = toNodeHandler(handler, { onerror: onError, maxRequestBodySize: maxBytes })
  const route: Route = {
    name: 'mcp',
    scope: 'mcp',
    replies: 'own',
    methods: ['GET', 'POST', 'DELETE'],
    matches: isMcpPath,
    // Streams of notifications; a reply to a POST is not one.
    isStream: ({ method, headers }) =>
      method === 'GET' || headers['mcp-method'] === 'subscriptions/listen',
    async handle(request, response, principal) {
      const access = authorizeProfile(request.url, principal, rules())
      const body = request.method === 'POST' ? await readMessage(request, replicas) : undefined
      if (body === invalid || handler.isTooDeep(body)) {
        response.writeHead(400, { 'content-type': 'application/json' })
        response.end(body === invalid ? parseError : tooDeep)
        return
      }
      if (await replicas?.forward(request, response, body, principal)) return
      // Clients without a session are identified by their address.
      const clientId = clientAddress(request)
      if (await handler.answerPlain(request, body, response, { access, clientId })) return
      const auth = { token: '', clientId, scopes: [], extra: { ...access } }
      return answer(Object.assign(request, { auth }) as Addressed, response, body)
    },
  }
  return { route, close: () => handler.close() }
}

const invalid = Symbol('a body that is not JSON')
const errorOf = (code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null })
const parseError = errorOf(-32700, 'Parse error: the body is not valid JSON.')
const tooDeep = errorOf(-32600, 'Invalid request: it is nested too deep.')

/** @throws {RejectedError} 413, 408, 403 or 400 */
async function readMessage(request: IncomingMessage, replicas?: ReplicaDirectory) {
  const body = await readBody(request, { bytes: maxBytes, ms: maxBodyMs })
  replicas?.checkBody(request, body)
  return attempt((): unknown => JSON.parse(body.toString()), invalid)
}

type Addressed = IncomingMessage & { method: string; url: string }
