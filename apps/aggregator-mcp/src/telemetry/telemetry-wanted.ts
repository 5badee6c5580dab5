import type { AggregatorSettings } from '@pith-mcp/aggregator'
import type { TraceSettings } from '@pith-mcp/telemetry'
import type { Environment } from '../config.ts'

export interface TelemetryWanted {
  traces: TraceSettings | undefined
  metrics: boolean
  /** Someone asked for it here, not only by variables that are for all programs. */
  isConfigured: boolean
  /** What is not done as it was asked for. */
  remarks: string[]
}

/** What is to be told to whom, by the configuration and the variables of OpenTelemetry. */
export function telemetryWanted(
  given: AggregatorSettings['telemetry'],
  environment: Environment,
  isHttp: boolean,
): TelemetryWanted | undefined {
  if (environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return undefined
  const remarks: string[] = []
  const metrics = given?.metrics === true && isHttp
  if (given?.metrics === true && !isHttp)
    remarks.push('aggregator.telemetry.metrics: metrics are read over HTTP; start with --http.')
  const traces = tracesWanted(given?.traces, environment, remarks)
  if (traces === undefined && !metrics && remarks.length === 0) return undefined
  return { traces, metrics, isConfigured: metrics || Boolean(given?.traces), remarks }
}

function tracesWanted(
  given: NonNullable<AggregatorSettings['telemetry']>['traces'],
  environment: Environment,
  remarks: string[],
): TraceSettings | undefined {
  const isAsked =
    environment['OTEL_TRACES_EXPORTER'] !== 'none' &&
    Boolean(
      environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ||
        environment['OTEL_EXPORTER_OTLP_ENDPOINT'],
    )
  if (!(given ?? isAsked)) return undefined
  const protocol =
    environment['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || environment['OTEL_EXPORTER_OTLP_PROTOCOL']
  const isKnown = protocol === 'http/json' || protocol === 'http/protobuf'
  if (protocol && !isKnown)
    remarks.push(
      `OTEL_EXPORTER_OTLP_PROTOCOL ${protocol}: is not spoken here; traces are sent by http/protobuf.`,
    )
  return { ...(typeof given === 'object' && given), ...(isKnown && { protocol }) }
}
