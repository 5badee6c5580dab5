import { version } from '../../version.ts'
import { type Operation, operation } from '../operation/operation.ts'
import { session } from '../schemas/session.ts'

export const sessionOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/session',
    tag: 'session',
    summary: 'Get the current session and this aggregator.',
    answer: session,
    run: ({ principal }, { aggregator, journal, settings, mcpUrl, startedAt }) => ({
      kind: principal.kind,
      name: principal.name,
      scopes: [...principal.scopes],
      version,
      startedAt,
      mode: settings.mode,
      mcpUrl: mcpUrl(),
      config: [...settings.config],
      clients: aggregator.gateway.clients.sessions.size,
      journalLoss: journal.loss?.(),
    }),
  }),
]
