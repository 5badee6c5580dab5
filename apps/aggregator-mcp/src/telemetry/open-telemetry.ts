import type { AggregatorSettings } from '@pith-mcp/aggregator'
import type { Environment } from '@pith-mcp/server-kit/settings'
import type { Telemetry, TraceSettings } from '@pith-mcp/telemetry'
import { version } from '../version.ts'

interface OpenTelemetryOptions {
  settings: AggregatorSettings['telemetry']
  environment: Environment
  isHttp: boolean
  onLog: (text: string) => void
}

/** Undefined if neither traces nor metrics are configured. */
export type OpenedTelemetry = (Telemetry & { hasMetrics: boolean }) | undefined

/**
 * Set up traces and metrics. @pith-mcp/telemetry is optional and loaded only if needed. If it is
 * configured but not installed, an HTTP endpoint does not start; a stdio server logs it and starts.
 * @throws {Error} with the command that installs the package
 */
export async function openTelemetry(options: OpenTelemetryOptions): Promise<OpenedTelemetry> {
  const { settings, environment, isHttp, onLog } = options
  const resolved = resolveTelemetry(settings, environment, isHttp)
  for (const remark of resolved?.remarks ?? []) onLog(remark)
  if (resolved === undefined || (resolved.traces === undefined && !resolved.metrics))
    return undefined
  const { traces, metrics, isConfigured } = resolved
  const createTelemetry = await load()
  if (createTelemetry === undefined) {
    if (isConfigured && isHttp) throw new Error(howToInstall)
    const which = isConfigured ? 'telemetry in the configuration' : 'OTEL_EXPORTER_OTLP_ENDPOINT'
    onLog(`${howToInstall} Until then, ${which} has no effect.`)
    return undefined
  }
  const transport = isHttp ? 'tcp' : 'pipe'
  const service = 'aggregator-mcp'
  const telemetry = createTelemetry({ service, version, transport, traces, metrics, onLog })
  return { ...telemetry, hasMetrics: metrics }
}

const howToInstall =
  'Traces and metrics require the package @pith-mcp/telemetry. Install it: npm i @pith-mcp/telemetry, or npx -p @pith-mcp/telemetry -p @pith-mcp/aggregator-mcp aggregator-mcp …'

/** Problems with the configured telemetry. Empty if none is configured. */
export async function telemetryFaults(
  settings: AggregatorSettings['telemetry'],
): Promise<string[]> {
  const isRequested = Boolean(settings?.traces) || settings?.metrics === true
  return isRequested && (await load()) === undefined ? [howToInstall] : []
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

/** Combine the configuration with the OTEL_* variables. Undefined if nothing is requested. */
function resolveTelemetry(
  settings: AggregatorSettings['telemetry'],
  environment: Environment,
  isHttp: boolean,
) {
  if (environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return undefined
  /** Settings that have no effect, with the reason. */
  const remarks: string[] = []
  const metrics = settings?.metrics === true && isHttp
  if (settings?.metrics === true && !isHttp)
    remarks.push(
      'aggregator.telemetry.metrics has no effect: metrics are served over HTTP. Start with --http.',
    )
  const traces = resolveTraces(settings?.traces, environment, remarks)
  if (traces === undefined && !metrics && remarks.length === 0) return undefined
  // The configuration asks for it, not only OTEL_* variables, which are meant for all programs.
  const isConfigured = metrics || Boolean(settings?.traces)
  return { traces, metrics, isConfigured, remarks }
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
