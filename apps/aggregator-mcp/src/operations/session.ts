import { modes } from '@pith-mcp/aggregator'
import { allScopes } from '@pith-mcp/server-kit'
import { z } from 'zod'
import { version } from '../version.ts'
import { component, type Operation, operation } from './operation.ts'

export const scope = z.enum(allScopes)

/** The current session, and this aggregator. */
const session = component('Session', {
  kind: z.string().describe('owner, token, jwt or session.'),
  name: z.string().optional(),
  scopes: z.array(scope),
  version: z.string(),
  startedAt: z.string(),
  mode: z.enum(modes),
  mcpUrl: z.string(),
  config: z.array(z.string()),
  clients: z.int().describe('Clients connected to the MCP endpoint.'),
})

export const sessionOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/session',
    summary: 'Get the current session and this aggregator.',
    answer: session,
    run: (_, { aggregator, settings, mcpUrl, startedAt }, { principal }) => ({
      kind: principal.kind,
      name: principal.name,
      scopes: [...principal.scopes],
      version,
      startedAt,
      mode: settings.mode,
      mcpUrl: mcpUrl(),
      config: [...settings.config],
      clients: aggregator.gateway.clients.sessions.size,
    }),
  }),
]
