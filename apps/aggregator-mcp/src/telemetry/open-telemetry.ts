import type { AggregatorSettings } from '@pith-mcp/aggregator'
import type { Environment } from '@pith-mcp/server-kit/settings'
import type { Telemetry, TraceProtocol } from '@pith-mcp/telemetry'
import { version } from '../version.ts'

type TelemetrySettings = AggregatorSettings['telemetry']

/** Undefined if neither traces nor metrics are configured. */
export type OpenedTelemetry = (Telemetry & { hasMetrics: boolean }) | undefined

/**
 * Set up traces and metrics. @pith-mcp/telemetry is optional and loaded only if needed. If it is
 * configured but not installed, an HTTP endpoint does not start; a stdio server logs it and starts.
 * @throws {Error} with the command that installs the package
 */
export async function openTelemetry(
  settings: TelemetrySettings = {},
  environment: Environment,
  isHttp: boolean,
  onLog: (text: string) => void,
): Promise<OpenedTelemetry> {
  if (environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return undefined
  const metrics = settings.metrics === true && isHttp
  if (settings.metrics === true && !isHttp)
    onLog(
      'aggregator.telemetry.metrics has no effect: metrics are served over HTTP. Start with --http.',
    )
  const traces =
    (settings.traces ?? hasCollector(environment)) ? protocolIn(environment, onLog) : undefined
  if (traces === undefined && !metrics) return undefined
  const createTelemetry = await load()
  if (createTelemetry !== undefined) {
    const transport = isHttp ? 'tcp' : 'pipe'
    const service = 'aggregator-mcp'
    const telemetry = createTelemetry({ service, version, transport, traces, metrics, onLog })
    return { ...telemetry, hasMetrics: metrics }
  }
  // The configuration asks for it, not only OTEL_* variables, which are meant for all programs.
  const isConfigured = metrics || settings.traces === true
  if (isConfigured && isHttp) throw new Error(howToInstall)
  const which = isConfigured ? 'telemetry in the configuration' : 'OTEL_EXPORTER_OTLP_ENDPOINT'
  onLog(`${howToInstall} Until then, ${which} has no effect.`)
  return undefined
}

const howToInstall =
  'Traces and metrics require the package @pith-mcp/telemetry. Install it: npm i @pith-mcp/telemetry, or npx -p @pith-mcp/telemetry -p @pith-mcp/aggregator-mcp aggregator-mcp …'

/** Problems with the configured telemetry. Empty if none is configured. */
export async function telemetryFaults({
  traces,
  metrics,
}: TelemetrySettings = {}): Promise<string[]> {
  return (traces || metrics) && (await load()) === undefined ? [howToInstall] : []
}

/** Undefined if the package is not installed. */
async function load() {
  try {
    return (await import('@pith-mcp/telemetry')).createTelemetry
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes('@pith-mcp/telemetry')) throw error
    return undefined
  }
}

const hasCollector = (environment: Environment): boolean =>
  environment['OTEL_TRACES_EXPORTER'] !== 'none' &&
  Boolean(
    environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || environment['OTEL_EXPORTER_OTLP_ENDPOINT'],
  )

/** The one variable that the exporters do not read themselves: it chooses between them. */
function protocolIn(environment: Environment, onLog: (text: string) => void): TraceProtocol {
  const protocol =
    environment['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || environment['OTEL_EXPORTER_OTLP_PROTOCOL']
  if (protocol === 'http/json' || protocol === 'http/protobuf') return protocol
  if (protocol)
    onLog(
      `OTEL_EXPORTER_OTLP_PROTOCOL ${protocol} is not supported. Traces are sent with http/protobuf.`,
    )
  return 'http/protobuf'
}
