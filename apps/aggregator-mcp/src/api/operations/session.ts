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
    summary: 'The aggregators that run with the same state folder, this one too.',
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
    summary: 'Who asks, and what runs here.',
    answer: session,
    run: ({ visitor }, { aggregator, journal, settings, mcpUrl, startedAt }) => ({
      kind: visitor.kind,
      name: visitor.name,
      scopes: [...visitor.scopes],
      version,
      startedAt,
      mode: settings.mode,
      mcpUrl: mcpUrl(),
      config: [...settings.config],
      clients: aggregator.gateway.sessions.size,
      journalLoss: journal.loss?.(),
    }),
  }),
]
