import { readFileSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ParsedMetrics,
  parseMetrics,
} from '../../../../packages/telemetry/test/parse-metrics.ts'
import { configure, startOverHttp } from '../running/aggregator-process.ts'
import { metaOverStdio } from './meta-servers.ts'

const owner = 'token-of-the-owner'
const caller = 'token-of-a-caller'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const { args, remove } = configure(
  { pipe: { ...metaOverStdio(), maxConcurrency: 4 }, broken: { command: 'no-such-command' } },
  { telemetry: { metrics: true }, callers: { ci: { token: caller } } },
)
const environment = { ...process.env, AGGREGATOR_MCP_TOKEN: owner }

let at: string
let running: Awaited<ReturnType<typeof startOverHttp>>
let client: Client
let metrics: ParsedMetrics
beforeAll(async () => {
  running = await startOverHttp(args, environment)
  at = running.url.replace(/\/mcp$/, '/metrics')
  client = new Client({ name: 'test', version: '0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(running.url), {
      requestInit: { headers: bearer(caller) },
    }),
  )
  await client.listTools()
  const call = (tool_name: string) =>
    client
      .callTool({ name: 'call', arguments: { module: 'pipe', tool_name, params: {} } })
      .catch(() => {})
  for (const tool of ['meta', 'meta', 'meta', 'fail', 'wrong']) await call(tool)
  await client.callTool({ name: 'search_tools', arguments: { query: 'meta' } })
  await client.callTool({ name: 'made_up', arguments: {} }).catch(() => {})
  await fetch(at)
  await fetch(at, { headers: bearer('nobody-has-this') })
  const response = await fetch(at, { headers: bearer(owner) })
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  metrics = parseMetrics(await response.text())
})
afterAll(async () => {
  await client.close()
  await running.stop()
  remove()
})

test('calls are counted by server, tool and outcome', () => {
  const count = (labels: Record<string, string>) => metrics.valueAt('pith_calls_total', labels)
  expect(count({ server: 'pipe', tool: 'meta', outcome: 'ok' })).toBe(3)
  expect(count({ server: 'pipe', tool: 'fail', outcome: 'tool_error' })).toBe(1)
  expect(count({ server: 'pipe', tool: 'wrong', outcome: 'rpc_-32123' })).toBe(1)
  expect(count({ kind: 'meta', tool: 'search_tools', outcome: 'ok' })).toBe(1)
  expect(count({ kind: 'meta', tool: 'other' })).toBe(1)
})

test('requests are timed as clients and as servers see them', () => {
  const meta = { server: 'pipe', gen_ai_tool_name: 'meta', network_transport: 'pipe' }
  expect(metrics.valueAt('mcp_client_operation_duration_count', meta)).toBe(3)
  expect(metrics.valueAt('mcp_client_operation_duration_sum', meta)).toBeGreaterThan(0)
  const list = { mcp_method_name: 'tools/list', network_transport: 'tcp' }
  expect(metrics.valueAt('mcp_server_operation_duration_count', list)).toBe(1)
})

test('it says how servers and sessions are', () => {
  expect(metrics.valueAt('pith_sessions')).toBe(1)
  expect(metrics.valueAt('pith_servers', { state: 'ready' })).toBe(1)
  expect(metrics.valueAt('pith_server_ready', { server: 'pipe' })).toBe(1)
  expect(metrics.valueAt('pith_server_starts', { server: 'pipe' })).toBe(1)
  expect(metrics.valueAt('pith_servers', { state: 'down' })).toBe(1)
  expect(metrics.valueAt('pith_server_failures', { server: 'broken' })).toBeGreaterThan(0)
  expect(metrics.valueAt('pith_server_waiting', { server: 'pipe' })).toBe(0)
  expect(metrics.valueAt('process_resident_memory_bytes')).toBeGreaterThan(1e7)
})

test('who is not let in is counted by the reason', () => {
  expect(metrics.valueAt('pith_requests_rejected_total', { reason: 'no_credential' })).toBe(1)
  expect(metrics.valueAt('pith_requests_rejected_total', { reason: 'unknown_token' })).toBe(1)
})

test('only whoever may look at the console reads them, and they are only read', async () => {
  expect((await fetch(at)).status).toBe(401)
  expect((await fetch(at, { headers: bearer(caller) })).status).toBe(403)
  expect((await fetch(at, { method: 'POST', headers: bearer(owner) })).status).toBe(405)
  expect((await fetch(at, { headers: bearer(owner) })).headers.get('cache-control')).toContain(
    'no-store',
  )
})

test('every metric of the dashboard is one that is there', () => {
  const path = new URL('../../../../docs/observability/grafana.json', import.meta.url)
  const dashboard: unknown = JSON.parse(readFileSync(path, 'utf8'))
  const named = expressionsIn(dashboard).flatMap(
    (text) => text.match(/\b(?:pith|mcp|process|nodejs)_[a-z0-9_]+(?=[{[), ]|$)/g) ?? [],
  )
  // Labels are named like metrics.
  const labels = new Set(metrics.samples.flatMap((one) => Object.keys(one.labels)))
  const requested = [...new Set(named)].filter((name) => !labels.has(name))
  const there = new Set(metrics.samples.map(({ name }) => name))
  expect(requested.length).toBeGreaterThan(10)
  expect(requested.filter((name) => !there.has(name))).toEqual([])
})

function expressionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    (key === 'expr' || key === 'query') && typeof member === 'string'
      ? [member]
      : expressionsIn(member),
  )
}

test('where nobody asked for them there are none', async () => {
  const { args: plain, remove: removePlain } = configure({ pipe: metaOverStdio() })
  const other = await startOverHttp(plain, environment)
  const response = await fetch(other.url.replace(/\/mcp$/, '/metrics'), { headers: bearer(owner) })
  expect(response.status).toBe(404)
  await other.stop()
  removePlain()
})
