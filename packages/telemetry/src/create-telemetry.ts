import { setTimeout as sleep } from 'node:timers/promises'
import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'
import type { Tracing } from '#base/tracing'
import { createTracing } from './create-tracing.ts'
import type { MeteredLine } from './metrics/metered-line.ts'
import { type MetricsText, openMetrics } from './metrics/open-metrics.ts'
import type { Snapshot } from './metrics/snapshot.ts'
import { openTraces, type TraceSettings } from './traces/open-traces.ts'

/** Service name, traces and metrics; both are off by default. */
export interface TelemetryOptions {
  /** Service name; `OTEL_SERVICE_NAME` overrides it. */
  service: string
  version: string
  /** How clients reach it. */
  transport?: 'pipe' | 'tcp' | undefined
  /** Creates and exports spans. Without it no spans are created. */
  traces?: TraceSettings | undefined
  /** Default true. */
  metrics?: boolean | undefined
  /** Called when spans cannot be exported, and when they can be again. */
  onLog?: ((text: string) => void) | undefined
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
  const { transport, onLog = () => {} } = options
  const resource = resourceOf(options)
  const traces = options.traces && openTraces(options.traces, resource, onLog)
  const metrics = (options.metrics ?? true) ? openMetrics(resource) : undefined
  return {
    tracing: createTracing(transport, traces?.startSpan, metrics?.recordOperation),
    record: (line) => metrics?.record(line),
    observe: (read) => metrics?.observe(read),
    metrics: async () => (await metrics?.read()) ?? { contentType: 'text/plain', text: '' },
    async close() {
      const closed = Promise.allSettled([traces?.close(), metrics?.close()])
      const waiting = new AbortController()
      const late = sleep(maxCloseMs, undefined, { signal: waiting.signal }).catch(() => {})
      await Promise.race([closed, late])
      waiting.abort()
    },
  }
}

/** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` override the given values. */
function resourceOf({ service, version }: { service: string; version: string }): Resource {
  const own = resourceFromAttributes({ 'service.name': service, 'service.version': version })
  return own.merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }))
}
