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
 * The package that knows OpenTelemetry is loaded when it is wanted, and need not be there.
 * @throws {Error} with the line that installs it
 */
export async function openTelemetry(options: OpenTelemetryOptions): Promise<OpenedTelemetry> {
  const { settings, environment, isHttp, onLog } = options
  const wanted = telemetryWanted(settings, environment, isHttp)
  for (const remark of wanted?.remarks ?? []) onLog(remark)
  if (wanted === undefined || (wanted.traces === undefined && !wanted.metrics)) return undefined
  const { traces, metrics, isConfigured } = wanted
  const createTelemetry = await load(isConfigured, onLog)
  if (createTelemetry === undefined) return undefined
  const transport = isHttp ? 'tcp' : 'pipe'
  const service = 'aggregator-mcp'
  const telemetry = createTelemetry({ service, version, transport, traces, metrics, onLog })
  return { ...telemetry, hasMetrics: metrics }
}

/** Variables that are meant for all programs do not keep this one from starting. */
async function load(isConfigured: boolean, onLog: (text: string) => void) {
  try {
    return (await import('@pith-mcp/telemetry')).createTelemetry
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes('@pith-mcp/telemetry')) throw error
    const said = `Traces and metrics need the package @pith-mcp/telemetry beside this one: npm i @pith-mcp/telemetry, or npx -p @pith-mcp/telemetry -p @pith-mcp/aggregator-mcp aggregator-mcp …`
    if (isConfigured) throw new Error(said)
    onLog(`${said} OTEL_EXPORTER_OTLP_ENDPOINT is not heeded.`)
    return undefined
  }
}
