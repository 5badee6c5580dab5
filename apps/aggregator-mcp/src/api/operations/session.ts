import { version } from '../../version.ts'
import { type Operation, operation } from '../operation.ts'
import { session } from '../schemas/session.ts'

export const sessionOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/session',
    tag: 'session',
    summary: 'Who asks, and what runs here.',
    answer: session,
    run: ({ visitor }, { aggregator, settings, mcpUrl, startedAt }) => ({
      kind: visitor.kind,
      name: visitor.name,
      scopes: [...visitor.scopes],
      version,
      startedAt,
      mode: settings.mode,
      mcpUrl: mcpUrl(),
      config: [...settings.config],
      clients: aggregator.gateway.sessions.size,
    }),
  }),
]
