import type { AggregatorSettings } from '@pith-mcp/aggregator'
import type { Environment } from '@pith-mcp/server-kit/settings'
import type { TraceSettings } from '@pith-mcp/telemetry'

export interface ResolvedTelemetry {
  traces: TraceSettings | undefined
  metrics: boolean
  /** The configuration asks for it, not only OTEL_* variables, which are meant for all programs. */
  isConfigured: boolean
  /** Settings that have no effect, with the reason. */
  remarks: string[]
}

/** Combine the configuration with the OTEL_* variables. Undefined if nothing is requested. */
export function resolveTelemetry(
  settings: AggregatorSettings['telemetry'],
  environment: Environment,
  isHttp: boolean,
): ResolvedTelemetry | undefined {
  if (environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return undefined
  const remarks: string[] = []
  const metrics = settings?.metrics === true && isHttp
  if (settings?.metrics === true && !isHttp)
    remarks.push(
      'aggregator.telemetry.metrics has no effect: metrics are served over HTTP. Start with --http.',
    )
  const traces = resolveTraces(settings?.traces, environment, remarks)
  if (traces === undefined && !metrics && remarks.length === 0) return undefined
  return { traces, metrics, isConfigured: metrics || Boolean(settings?.traces), remarks }
}

function resolveTraces(
  settings: NonNullable<AggregatorSettings['telemetry']>['traces'],
  environment: Environment,
  remarks: string[],
): TraceSettings | undefined {
  const isRequested =
    environment['OTEL_TRACES_EXPORTER'] !== 'none' &&
    Boolean(
      environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ||
        environment['OTEL_EXPORTER_OTLP_ENDPOINT'],
    )
  if (!(settings ?? isRequested)) return undefined
  const protocol =
    environment['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || environment['OTEL_EXPORTER_OTLP_PROTOCOL']
  const isKnown = protocol === 'http/json' || protocol === 'http/protobuf'
  if (protocol && !isKnown)
    remarks.push(
      `OTEL_EXPORTER_OTLP_PROTOCOL ${protocol} is not supported. Traces are sent with http/protobuf.`,
    )
  return { ...(typeof settings === 'object' && settings), ...(isKnown && { protocol }) }
}
