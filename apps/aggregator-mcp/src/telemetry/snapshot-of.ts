import { type Aggregator, unitName } from '@pith-mcp/aggregator'
import type { Snapshot } from '@pith-mcp/telemetry'

/** The current state, for metrics. */
export const snapshotOf = ({ gateway, deps }: Aggregator): Snapshot => ({
  sessions: gateway.clients.sessions.size,
  servers: gateway.fleet.status().map(({ server, instances }) => ({
    name: unitName(server),
    waiting: deps.limits.waitingAt(server.name),
    instances,
  })),
})
