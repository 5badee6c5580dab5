import type { IncomingMessage } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { type Aggregator, createHttpHandler } from '@pith-mcp/aggregator'
import { RefusedError, type Route } from '@pith-mcp/door'
import { admit, isMcpPath, type ProfileRules } from './admit.ts'

const mostBytes = 16 * 1024 * 1024

/** MCP over Streamable HTTP, for whoever the door lets in. `rules` is asked at each request. */
export function mcpRoute(
  aggregator: Aggregator,
  rules: () => ProfileRules,
  onError: (error: unknown) => void,
): { route: Route; close(): Promise<void> } {
  const handler = createHttpHandler(aggregator, { onError, maxRequestBytes: mostBytes })
  const answer = toNodeHandler(handler, { onerror: onError, maxRequestBodySize: mostBytes })
  const route: Route = {
    name: 'mcp',
    scope: 'mcp',
    replies: 'own',
    matches: isMcpPath,
    // What is listened to, not what was asked for.
    isEndless: ({ method, headers }) =>
      method === 'GET' || headers['mcp-method'] === 'subscriptions/listen',
    handle(request, response, visitor) {
      if (Number(request.headers['content-length']) > mostBytes)
        throw new RefusedError('long_body', 413, `A request has at most ${mostBytes} bytes.`)
      const auth = {
        token: '',
        // Clients without a session are told apart by where they come from.
        clientId: request.socket.remoteAddress ?? '',
        scopes: [],
        extra: { ...admit(request.url, visitor, rules()) },
      }
      return answer(Object.assign(request, { auth }) as Addressed, response)
    },
  }
  return { route, close: () => handler.close() }
}

type Addressed = IncomingMessage & { method: string; url: string }
