import { platform } from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/operations/all-operations.ts'
import { configure, isAlive, odd, startOverHttp } from './aggregator-process.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as they come
type Json = Record<string, any>

const fixture = fileURLToPath(
  new URL('../../../../test/console/world/fixture-server.mjs', import.meta.url),
)
const lastWords = 'process.stderr.write("one\\nno line end"); process.exit(3)'
const own = configure({
  a: odd(),
  grafana: { command: process.execPath, args: [fixture, 'grafana'] },
  dying: { command: process.execPath, args: ['-e', lastWords] },
  off: { ...odd(), enabled: false },
})
const headers = { authorization: 'Bearer token-of-the-owner', 'content-type': 'application/json' }
let running: Awaited<ReturnType<typeof startOverHttp>>
beforeAll(async () => {
  running = await startOverHttp(own.args, {
    ...process.env,
    AGGREGATOR_MCP_TOKEN: 'token-of-the-owner',
  })
})
afterAll(async () => {
  await running.stop()
  own.remove()
})

async function ask(path: string, body?: Json): Promise<Json> {
  const method = body ? 'POST' : 'GET'
  const url = `${new URL(running.url).origin}/api/v1${path}`
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const response = await fetch(url, sent)
  const answer = (await response.json()) as Json
  const [place = ''] = path.split('?')
  const described = operations.find(
    (operation) =>
      operation.method === method.toLowerCase() &&
      new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(place),
  )
  if (response.ok) expect(described?.answer?.parse(answer)).toEqual(answer)
  return { status: response.status, ...answer }
}
const call = (server: string, name: string, args: Json = {}) =>
  ask('/tools/call', { server, name, arguments: args })
const search = async (query: Record<string, string>) =>
  (await ask(`/journal?${new URLSearchParams({ limit: '1000', ...query })}`))['lines'] as Json[]

describe('a server says', () => {
  test('which process runs, since when, and how much memory it takes', async () => {
    const before = new Date().toISOString()
    const answer = await ask('/servers/a/start', {})
    const { instances } = await ask('/servers/a')
    const [{ pid, readyAt, memory }] = instances
    expect(answer['state']).toBe('ready')
    expect(isAlive(pid)).toBe(true)
    expect(readyAt >= before && readyAt <= new Date().toISOString()).toBe(true)
    if (platform === 'linux') expect(memory).toBeGreaterThan(1_000_000)
  })

  test('what it wrote last with the time, also before it ended without a line end', async () => {
    const before = new Date().toISOString()
    expect(await ask('/servers/dying/start', {})).toMatchObject({ code: 'upstream_down' })
    const { stderr, stderrTotal, instances } = await ask('/servers/dying')
    expect(stderr.map(({ text }: Json) => text).slice(-2)).toEqual(['one', 'no line end'])
    expect(stderr[0].time >= before).toBe(true)
    expect(stderrTotal).toBe(stderr.length)
    expect(instances[0]).not.toHaveProperty('pid')
  })

  test('why its calls failed, with exactly the lines that it counts', async () => {
    await ask('/servers/grafana/start', {})
    await call('grafana', 'list_dashboards')
    for (let times = 0; times < 3; times++) await call('grafana', 'list_dashboards', { fail: true })
    await ask('/items/get', { kind: 'prompt', name: 'grafana__explain_alert' })
    const { from, to, causes, durations, others } = await ask('/servers/grafana/calls?since=1h')
    expect(causes.map(({ cause, lines }: Json) => [cause, lines])).toEqual([['tool_error', 3]])
    expect(others).toBe(0)
    expect(durations.reduce((sum: number, bar: Json) => sum + bar['calls'], 0)).toBe(5)
    const period = { server: 'grafana', since: from, until: to }
    const lines = await search({ ...period, cause: 'tool_error' })
    expect(lines.map(({ outcome }) => outcome)).toEqual(Array(3).fill('tool_error'))
    expect(causes[0].last).toBe(lines[0]?.['time'])
    expect(await search({ ...period, cause: 'timeout' })).toEqual([])
  })

  test('its calls also when it is disabled', async () => {
    expect(await ask('/servers/off/calls')).toMatchObject({ status: 200, causes: [] })
    expect(await ask('/servers/off')).toMatchObject({ state: 'disabled', stderr: [] })
  })
})

describe('prompts and resources', () => {
  test('are listed, and tried as a client would', async () => {
    const { items, others } = await ask('/servers/grafana/items')
    expect(items.map(({ kind, name }: Json) => `${kind} ${name}`)).toEqual([
      'prompt grafana__explain_alert',
      'resource grafana://motd',
      'template grafana://panel/{id}',
    ])
    expect(others).toBe(0)
    const prompt = { kind: 'prompt', name: 'grafana__explain_alert', arguments: { alert: 'cpu' } }
    const { result } = await ask('/items/get', prompt)
    expect(result.messages[0].content.text).toBe('Why did cpu fire?')
    const [line] = await search({ kind: 'read', server: 'grafana' })
    expect(line).toMatchObject({ tool: 'prompts/get', outcome: 'ok', session: 'console' })
  })

  test('have a bound, which says what is left out', async () => {
    const read = await ask('/items/get', { kind: 'resource', name: 'grafana://motd' })
    expect(JSON.stringify(read['result']).length).toBeLessThan(200_200)
    expect(read['cut']).toBeGreaterThan(90)
    const none = await ask('/items/get', { kind: 'resource', name: 'nowhere://x' })
    expect(none).toMatchObject({ status: 502 })
  })
})

test('a request is found by its id, and no other', async () => {
  await call('a', 'echo', { text: 'x' })
  await call('a', 'echo', { text: 'y' })
  const [last, first] = await search({ server: 'a', tool: 'echo' })
  expect(last?.['request']).toMatch(/^[0-9a-f]{16}$/)
  expect(last?.['request']).not.toBe(first?.['request'])
  expect(await search({ request: last?.['request'] })).toEqual([last])
})

describe('usage', () => {
  const usage = (query: Record<string, string>) => ask(`/usage?${new URLSearchParams(query)}`)

  test('is counted between times, in whole intervals', async () => {
    await call('a', 'echo')
    const now = Date.now()
    const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
    const around = await usage({ since: at(-10), until: at(1) })
    const whole = await usage({ since: '24h' })
    expect(around['total']).toEqual(whole['total'])
    expect(around['interval']).toBe('minute')
    expect(around['start'] <= at(-10) && around['end'] >= at(1)).toBe(true)
    expect(around['start']).toMatch(/:00\.000Z$/)
    const before = await usage({ since: at(-30), until: at(-20) })
    expect(before).toMatchObject({ total: { calls: 0 }, groups: [] })
    const series = await ask(`/usage/series?since=${at(-10)}&until=${at(1)}`)
    expect(series['times'][0]).toBe(around['start'])
  })

  test('of a period that is none is refused', async () => {
    const reversed = { since: '2026-02-01', until: '2026-01-01' }
    expect(await usage(reversed)).toMatchObject({ status: 400 })
    expect(await usage({ since: '2020-01-01' })).toMatchObject({ status: 400, code: 'too_many' })
    expect(await usage({ since: '1h', until: 'never' })).toMatchObject({ status: 400 })
  })
})
