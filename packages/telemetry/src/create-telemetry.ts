import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'
import { createTracing } from './create-tracing.ts'
import type { NotedLine } from './metrics/noted-line.ts'
import { type MetricsText, openMetrics } from './metrics/open-metrics.ts'
import type { Snapshot } from './metrics/snapshot.ts'
import { openTraces, type TraceSettings } from './traces/open-traces.ts'
import type { Tracing } from './tracing.ts'

export interface TelemetryOptions {
  /** What is watched, and which version of it. `OTEL_SERVICE_NAME` comes before it. */
  service: string
  version: string
  /** How clients reach it. */
  transport?: 'pipe' | 'tcp' | undefined
  /** Spans are made and sent; without it none are. */
  traces?: TraceSettings | undefined
  /** Default true. */
  metrics?: boolean | undefined
  /** Told once when spans cannot be sent, and when they can again. */
  onLog?: ((text: string) => void) | undefined
}

/** What happens in an aggregator, for those who watch it. Nothing of it throws but `metrics`. */
export interface Telemetry {
  /** For `tracing` of the aggregator. Without traces `_meta` passes as it is. */
  readonly tracing: Tracing
  /** Count a line of the journal. */
  note(line: NotedLine): void
  /** Asked at each look at the metrics. */
  observe(read: () => Snapshot): void
  /** In the text format of Prometheus. */
  metrics(): Promise<MetricsText>
  /** Sends what is left, in 3 s at most. */
  close(): Promise<void>
}

const longestCloseMs = 3_000

/** Registers nothing globally: who uses OpenTelemetry beside it is left alone. */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const { transport, onLog = () => {} } = options
  const resource = resourceOf(options)
  const traces = options.traces && openTraces({ ...options.traces, resource, onLog })
  const metrics = (options.metrics ?? true) ? openMetrics(resource) : undefined
  return {
    tracing: createTracing({
      transport,
      startSpan: traces?.startSpan,
      onEnd: metrics?.noteOperation,
    }),
    note: (line) => metrics?.note(line),
    observe: (read) => metrics?.observe(read),
    metrics: async () => (await metrics?.read()) ?? { contentType: 'text/plain', text: '' },
    async close() {
      await within(longestCloseMs, Promise.allSettled([traces?.close(), metrics?.close()]))
    },
  }
}

/** Who speaks; `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` come before what is given. */
function resourceOf({ service, version }: { service: string; version: string }): Resource {
  const own = resourceFromAttributes({ 'service.name': service, 'service.version': version })
  return own.merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }))
}

/** Wait for work, but not longer than that. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}
