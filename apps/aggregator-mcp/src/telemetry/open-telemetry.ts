import type { AggregatorSettings } from '@pith-mcp/aggregator'
import type { Telemetry } from '@pith-mcp/telemetry'
import type { Environment } from '../config.ts'
import { version } from '../version.ts'
import { telemetryWanted } from './telemetry-wanted.ts'

interface OpenTelemetryOptions {
  settings: AggregatorSettings['telemetry']
  environment: Environment
  isHttp: boolean
  onLog: (text: string) => void
}

/** Undefined where nothing is to be told. */
export type OpenedTelemetry = (Telemetry & { hasMetrics: boolean }) | undefined

/**
 * The package that knows OpenTelemetry is loaded when it is wanted, and need not be there: an endpoint
 * that was to be watched is not opened unwatched, and a server of one client starts all the same.
 * @throws {Error} with the line that installs it
 */
export async function openTelemetry(options: OpenTelemetryOptions): Promise<OpenedTelemetry> {
  const { settings, environment, isHttp, onLog } = options
  const wanted = telemetryWanted(settings, environment, isHttp)
  for (const remark of wanted?.remarks ?? []) onLog(remark)
  if (wanted === undefined || (wanted.traces === undefined && !wanted.metrics)) return undefined
  const { traces, metrics, isConfigured } = wanted
  const createTelemetry = await load()
  if (createTelemetry === undefined) {
    if (isConfigured && isHttp) throw new Error(howToInstall)
    const which = isConfigured ? 'telemetry in the configuration' : 'OTEL_EXPORTER_OTLP_ENDPOINT'
    onLog(`${howToInstall} Until then ${which} is not heeded.`)
    return undefined
  }
  const transport = isHttp ? 'tcp' : 'pipe'
  const service = 'aggregator-mcp'
  const telemetry = createTelemetry({ service, version, transport, traces, metrics, onLog })
  return { ...telemetry, hasMetrics: metrics }
}

const howToInstall =
  'Traces and metrics need the package @pith-mcp/telemetry beside this one: npm i @pith-mcp/telemetry, or npx -p @pith-mcp/telemetry -p @pith-mcp/aggregator-mcp aggregator-mcp …'

/** What keeps a configuration from being heeded; none where nothing is asked for. */
export async function telemetryFaults(
  settings: AggregatorSettings['telemetry'],
): Promise<string[]> {
  const isAsked = Boolean(settings?.traces) || settings?.metrics === true
  return isAsked && (await load()) === undefined ? [howToInstall] : []
}

/** Undefined where it is not installed. */
async function load() {
  try {
    return (await import('@pith-mcp/telemetry')).createTelemetry
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes('@pith-mcp/telemetry')) throw error
    return undefined
  }
}
