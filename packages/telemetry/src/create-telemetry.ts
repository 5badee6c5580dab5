import { setTimeout as sleep } from 'node:timers/promises'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import type { Tracing } from '#base/tracing'
import { countLines, type MeteredLine } from './count-lines.ts'
import { observeProcess, observeServers, type Snapshot } from './observe.ts'
import { createOperations } from './operations.ts'
import { createTracing, openProvider, type TraceProtocol } from './traces.ts'

/** Service name, traces and metrics. */
export interface TelemetryOptions {
  /** Service name; `OTEL_SERVICE_NAME` overrides it. */
  service: string
  version: string
  /** How clients reach it. */
  transport?: 'pipe' | 'tcp' | undefined
  /** Sends spans with this protocol, as the `OTEL_*` variables say. Default: no spans. */
  traces?: TraceProtocol | undefined
  /** Default true. */
  metrics?: boolean | undefined
  /** Called when spans cannot be exported, and when they can be again. */
  onLog?: ((text: string) => void) | undefined
}

/** All metrics at one moment. */
export interface MetricsText {
  contentType: string
  text: string
}

/** Traces and metrics of an aggregator. Only `metrics` may throw. */
export interface Telemetry {
  /** For the option `tracing` of the aggregator. Without traces `_meta` is unchanged. */
  readonly tracing: Tracing
  /** Counts a line of the journal. */
  record(line: MeteredLine): void
  /** `read` is called each time the metrics are read. */
  observe(read: () => Snapshot): void
  /** In Prometheus' text format. */
  metrics(): Promise<MetricsText>
  /** Exports pending spans, within 3 s. */
  close(): Promise<void>
}

const maxCloseMs = 3_000

/** Registers nothing globally, so that it does not affect other users of OpenTelemetry. */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const { transport, traces, onLog = () => {} } = options
  const resource = resourceOf(options)
  const provider = traces && openProvider(traces, resource, onLog)
  const metrics = (options.metrics ?? true) ? openMetrics(resource) : undefined
  return {
    tracing: createTracing(transport, provider, metrics?.recordOperation),
    record: (line) => metrics?.record(line),
    observe: (read) => metrics?.observe(read),
    metrics: async () => (await metrics?.read()) ?? { contentType: 'text/plain', text: '' },
    async close() {
      const closed = Promise.allSettled([provider?.shutdown(), metrics?.close()])
      const timer = new AbortController()
      const late = sleep(maxCloseMs, undefined, { signal: timer.signal }).catch(() => {})
      await Promise.race([closed, late])
      timer.abort()
    },
  }
}

/** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` override the given values. */
function resourceOf({ service, version }: TelemetryOptions): Resource {
  const resource = resourceFromAttributes({ 'service.name': service, 'service.version': version })
  return resource.merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }))
}

const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Collects metrics in this process; nothing is sent. */
function openMetrics(resource: Resource) {
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
    observe(read: () => Snapshot) {
      snapshot = read
    },
    async read(): Promise<MetricsText> {
      const { resourceMetrics } = await exporter.collect()
      return { contentType, text: serializer.serialize(resourceMetrics) }
    },
    async close() {
      endProcess()
      await provider.shutdown()
    },
  }
}
