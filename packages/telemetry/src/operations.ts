import type { Attributes, Histogram, Meter } from '@opentelemetry/api'
import type { Traced } from '#base/tracing'
import { namedBy } from './describe-span.ts'
import { createLabel, isAnswered } from './labels.ts'
import type { RecordOperation, Side } from './side.ts'

/** Seconds; boundaries of the semantic conventions, from 5 ms on. */
const boundaries = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

/** Durations of requests, named by the semantic conventions for MCP. */
export function createOperations(meter: Meter): RecordOperation {
  const histogram = (name: string, description: string): Histogram =>
    meter.createHistogram(name, {
      description,
      unit: 's',
      advice: { explicitBucketBoundaries: boundaries },
    })
  const durations: Record<Side, Histogram> = {
    server: histogram(
      'mcp.server.operation.duration',
      'Seconds from a request of a client to its answer.',
    ),
    client: histogram(
      'mcp.client.operation.duration',
      'Seconds from a request to a server to its answer, the start of the server included.',
    ),
  }
  const methods = createLabel(50)
  const servers = createLabel(200)
  const requestedTools = createLabel(500)
  const calledTools = createLabel(500)
  const failures = createLabel(60)

  /** Clients may request any name: only names of existing tools become labels. */
  function toolOf(side: Side, { tool, server }: Traced, outcome: string): string | undefined {
    if (tool === undefined) return undefined
    return side === 'client'
      ? calledTools(tool, { key: `${server}.${tool}` })
      : requestedTools(tool, { isLet: isAnswered(outcome) })
  }

  return (side, traced, outcome, seconds) => {
    const { method, server, transport } = traced
    const attributes: Attributes = {
      'mcp.method.name': methods(method),
      ...namedBy(method, toolOf(side, traced, outcome)),
      ...(server !== undefined && { server: servers(server) }),
      ...(transport !== undefined && { 'network.transport': transport }),
      ...(outcome !== 'ok' && { 'error.type': failures(outcome) }),
    }
    delete attributes['gen_ai.operation.name']
    durations[side].record(seconds, attributes)
  }
}
