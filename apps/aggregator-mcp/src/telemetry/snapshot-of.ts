import { type Aggregator, unitName } from '@pith-mcp/aggregator'
import type { Snapshot } from '@pith-mcp/telemetry'

/** How it is now, for metrics. */
export const snapshotOf = ({ gateway, serving }: Aggregator): Snapshot => ({
  sessions: gateway.sessions.size,
  servers: gateway.status().map(({ server, instances }) => ({
    name: unitName(server),
    waiting: serving.limits.waitingAt(server.name),
    instances,
  })),
})
