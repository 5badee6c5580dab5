import { z } from 'zod'
import { runningProcesses } from '../../open/running.ts'
import { version } from '../../version.ts'
import { type Operation, operation } from '../operation/operation.ts'
import { runningAggregator, session } from '../schemas/session.ts'

export const sessionOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/aggregators',
    tag: 'session',
    summary: 'List the running aggregators with the same state folder, including this one.',
    answer: z.object({ aggregators: z.array(runningAggregator) }),
    run: (_, { settings: { state } }) => ({
      aggregators: (state === false ? [] : runningProcesses(state)).map(
        ({ servers, config, ...rest }) => ({
          ...rest,
          isThis: rest.pid === process.pid,
          config: [...config],
          servers: servers.length,
          calls: servers.reduce((sum, { calls }) => sum + calls, 0),
        }),
      ),
    }),
  }),
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
