import { afterEach, expect, test } from 'vitest'
import { createTelemetry, type Telemetry } from '../src/index.ts'
import { parseMetrics } from './parse-metrics.ts'

let telemetry: Telemetry
const open = () => {
  telemetry = createTelemetry({ service: 'tested', version: '1', transport: 'tcp' })
  return telemetry
}
afterEach(() => telemetry.close())
const read = async () => parseMetrics((await telemetry.metrics()).text)

test('lines of the journal are counted by server, tool and outcome', async () => {
  const { record: note } = open()
  const call = { kind: 'call', module: 'notes', tool: 'search' } as const
  note({ ...call, outcome: 'ok', argsTokens: 10, resultTokens: 100, sentTokens: 40 })
  note({ ...call, outcome: 'ok', argsTokens: 1, resultTokens: 5, sentTokens: 5 })
  note({ ...call, account: 'work', outcome: 'timeout', argsTokens: 2 })
  note({ kind: 'meta', tool: 'search_tools', outcome: 'ok', sentTokens: 30 })
  note({ kind: 'list', outcome: 'ok', resultTokens: 1_000, sentTokens: 200 })
  note({ kind: 'event', outcome: 'rejected', reason: 'unknown_token', count: 4 })
  note({ kind: 'event', outcome: 'tool_held', module: 'notes', tool: 'search' })
  note({ kind: 'admin', outcome: 'ok', tool: 'DELETE /servers/notes' })
  const { valueAt, types } = await read()
  const notes = { server: 'notes', tool: 'search' }
  expect(valueAt('pith_calls_total', { ...notes, outcome: 'ok' })).toBe(2)
  expect(valueAt('pith_calls_total', { server: 'notes@work', outcome: 'timeout' })).toBe(1)
  expect(valueAt('pith_calls_total', { kind: 'meta', tool: 'search_tools' })).toBe(1)
  expect(valueAt('pith_tokens_in_total', { server: 'notes' })).toBe(11)
  expect(valueAt('pith_tokens_out_total', { server: 'notes' })).toBe(45)
  expect(valueAt('pith_tokens_full_total', { server: 'notes' })).toBe(105)
  expect(valueAt('pith_tokens_saved', { server: 'notes' })).toBe(60)
  expect(valueAt('pith_lists_total')).toBe(1)
  expect(valueAt('pith_requests_rejected_total', { reason: 'unknown_token' })).toBe(4)
  expect(valueAt('pith_events_total', { event: 'tool_held' })).toBe(1)
  expect(valueAt('pith_events_total', { event: 'admin' })).toBe(1)
  expect(valueAt('pith_calls_total', { kind: 'admin' })).toBeUndefined()
  expect(types.get('pith_calls_total')).toBe('counter')
  expect(types.get('pith_tokens_saved')).toBe('gauge')
})

test('requests are timed on both sides, in seconds', async () => {
  const { tracing } = open()
  const request = tracing.begin({ method: 'tools/call', tool: 'call' }, undefined)
  const relayed = request.child({ method: 'tools/call', tool: 'search', server: 'notes' })
  await new Promise((resolve) => setTimeout(resolve, 30))
  relayed.end('tool_error')
  request.end('ok')
  request.end('ok')
  const { valueAt } = await read()
  const server = { mcp_method_name: 'tools/call', gen_ai_tool_name: 'call' }
  expect(valueAt('mcp_server_operation_duration_count', server)).toBe(1)
  expect(valueAt('mcp_server_operation_duration_sum', server)).toBeGreaterThan(0.025)
  expect(valueAt('mcp_server_operation_duration_bucket', { ...server, le: '0.02' })).toBe(0)
  expect(
    valueAt('mcp_client_operation_duration_count', {
      server: 'notes',
      gen_ai_tool_name: 'search',
      error_type: 'tool_error',
    }),
  ).toBe(1)
})

test('sessions and servers are as they are when they are looked at', async () => {
  const { observe } = open()
  const down = { state: 'down', starts: 3, failures: 5, retryInMs: 4_000 } as const
  const ready = { state: 'ready', starts: 1, failures: 0, retryInMs: 0 } as const
  let sessions = 2
  observe(() => ({
    sessions,
    servers: [
      { name: 'a', waiting: 6, instances: [down, ready] },
      { name: 'b', waiting: 0, instances: [down] },
      { name: 'c', waiting: 0, instances: [] },
    ],
  }))
  const first = await read()
  expect(first.valueAt('pith_sessions')).toBe(2)
  expect(first.valueAt('pith_servers', { state: 'ready' })).toBe(1)
  expect(first.valueAt('pith_servers', { state: 'down' })).toBe(1)
  expect(first.valueAt('pith_servers', { state: 'stopped' })).toBe(1)
  expect(first.valueAt('pith_server_instances', { server: 'a', state: 'down' })).toBe(1)
  expect(first.valueAt('pith_server_starts', { server: 'a' })).toBe(4)
  expect(first.valueAt('pith_server_failures', { server: 'b' })).toBe(5)
  expect(first.valueAt('pith_server_circuit_open', { server: 'b' })).toBe(1)
  expect(first.valueAt('pith_server_circuit_open', { server: 'c' })).toBe(0)
  expect(first.valueAt('pith_server_waiting', { server: 'a' })).toBe(6)
  expect(first.valueAt('process_resident_memory_bytes')).toBeGreaterThan(1e6)
  sessions = 0
  expect((await read()).valueAt('pith_sessions')).toBe(0)
})

test('names from outside are bounded, and cannot break the text', async () => {
  const { record: note, tracing } = open()
  for (let n = 0; n < 700; n++)
    note({ kind: 'call', module: 'a', tool: `t${n}`, outcome: n % 2 ? 'ok' : `rpc_${n}` })
  note({ kind: 'call', module: 'b"}\n# TYPE x', tool: 'ü\u202e', outcome: 'ok' })
  // Nobody has such tools: a client made their names up.
  for (let n = 0; n < 700; n++) {
    note({ kind: 'meta', tool: `made-up-${n}`, outcome: 'rpc_-32602' })
    tracing.begin({ method: 'tools/call', tool: `made-up-${n}` }, undefined).end('-32602')
  }
  tracing.begin({ method: 'tools/call', tool: 'call' }, undefined).end('ok')
  const { samples, valueAt } = await read()
  const tools = new Set(samples.flatMap(({ labels }) => labels['tool'] ?? []))
  expect(tools.size).toBe(501)
  expect(tools.has('other')).toBe(true)
  expect([...tools].some((tool) => tool.startsWith('made-up'))).toBe(false)
  expect(new Set(samples.flatMap(({ labels }) => labels['outcome'] ?? [])).size).toBeLessThan(65)
  expect(samples.some(({ labels }) => labels['server'] === 'b"}_# TYPE x')).toBe(true)
  const made = { gen_ai_tool_name: 'other', error_type: '-32602' }
  expect(valueAt('mcp_server_operation_duration_count', made)).toBe(700)
  expect(valueAt('mcp_server_operation_duration_count', { gen_ai_tool_name: 'call' })).toBe(1)
})
