export type { Meta, Span, Traced, Tracing } from '#base/tracing'
export type { MeteredLine } from './count-lines.ts'
export {
  createTelemetry,
  type MetricsText,
  type Telemetry,
  type TelemetryOptions,
} from './create-telemetry.ts'
export type { InstanceSnapshot, ServerSnapshot, Snapshot } from './observe.ts'
export type { TraceProtocol } from './traces.ts'
