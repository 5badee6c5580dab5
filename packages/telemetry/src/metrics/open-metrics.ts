import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import type { Resource } from '@opentelemetry/resources'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { countLines } from './count-lines.ts'
import type { MeteredLine } from './metered-line.ts'
import { observeProcess } from './observe-process.ts'
import { observeServers } from './observe-servers.ts'
import { createOperations, type RecordOperation } from './operations.ts'
import type { Snapshot } from './snapshot.ts'

/** All metrics at one moment. */
export interface MetricsText {
  contentType: string
  text: string
}

export interface OpenMetrics {
  record(line: MeteredLine): void
  recordOperation: RecordOperation
  observe(read: () => Snapshot): void
  read(): Promise<MetricsText>
  close(): Promise<void>
}

const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Collects metrics in this process; nothing is sent. */
export function openMetrics(resource: Resource): OpenMetrics {
  const exporter = new PrometheusExporter({ preventServerStart: true })
  const provider = new MeterProvider({ resource, readers: [exporter] })
  const meter = provider.getMeter('@pith-mcp/telemetry')
  const serializer = new PrometheusSerializer('', false, undefined, false, true)
  let snapshot: (() => Snapshot) | undefined
  observeServers(meter, () => snapshot?.())
  const endProcess = observeProcess(meter)
  return {
    record: countLines(meter),
    recordOperation: createOperations(meter),
    observe(read) {
      snapshot = read
    },
    async read() {
      const { resourceMetrics } = await exporter.collect()
      return { contentType, text: serializer.serialize(resourceMetrics) }
    },
    async close() {
      endProcess()
      await provider.shutdown()
    },
  }
}
