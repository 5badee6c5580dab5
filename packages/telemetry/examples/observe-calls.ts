import { createTelemetry } from '@pith-mcp/telemetry'

const telemetry = createTelemetry({ service: 'my-aggregator', version: '1.0.0' })
telemetry.record({ kind: 'call', module: 'notes', tool: 'search', outcome: 'ok', argsTokens: 12 })

const span = telemetry.tracing.begin({ method: 'tools/call', tool: 'search' }, undefined)
span.end('ok')

const { text } = await telemetry.metrics()
console.log(
  text.includes('pith_calls_total{kind="call",server="notes",tool="search",outcome="ok"} 1'),
)
await telemetry.close()
