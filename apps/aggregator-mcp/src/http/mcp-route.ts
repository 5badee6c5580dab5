import type { IncomingMessage } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { type Aggregator, createHttpHandler } from '@pith-mcp/aggregator'
import { RejectedError, type Route } from '@pith-mcp/server-kit'
import { authorizeProfile, isMcpPath, type ProfileRules } from './authorize-profile.ts'

const maxBytes = 16 * 1024 * 1024

/** MCP over Streamable HTTP. `rules` is called for each request. */
export function mcpRoute(
  aggregator: Aggregator,
  rules: () => ProfileRules,
  onError: (error: unknown) => void,
): { route: Route; close(): Promise<void> } {
  const handler = createHttpHandler(aggregator, { onError, maxRequestBytes: maxBytes })
  const answer = toNodeHandler(handler, { onerror: onError, maxRequestBodySize: maxBytes })
  const route: Route = {
    name: 'mcp',
    scope: 'mcp',
    replies: 'own',
    matches: isMcpPath,
    // Streams of notifications; a reply to a POST is not one.
    isStream: ({ method, headers }) =>
      method === 'GET' || headers['mcp-method'] === 'subscriptions/listen',
    handle(request, response, principal) {
      if (Number(request.headers['content-length']) > maxBytes)
        throw new RejectedError('long_body', 413, `A request must not exceed ${maxBytes} bytes.`)
      const auth = {
        token: '',
        // Clients without a session are identified by their address.
        clientId: request.socket.remoteAddress ?? '',
        scopes: [],
        extra: { ...authorizeProfile(request.url, principal, rules()) },
      }
      return answer(Object.assign(request, { auth }) as Addressed, response)
    },
  }
  return { route, close: () => handler.close() }
}

type Addressed = IncomingMessage & { method: string; url: string }
