import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPostgres, hasRedis } from '../../../../test/engines.ts'
import { odd } from '../running/aggregator-process.ts'
import { type Cluster, startCluster } from './cluster.ts'
import {
  type Answer,
  callOf,
  envelope,
  initialise,
  type Json,
  killReplica,
  modern,
  post,
  textOf,
  withTasks,
} from './replica-client.ts'

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)
const tasks = fileURLToPath(new URL('../running/tasks-server.mjs', import.meta.url))

let cluster: Cluster
beforeAll(async () => {
  if (!hasPostgres || !hasRedis) return
  cluster = await startCluster(2, {
    odd: odd(),
    everything: { command: process.execPath, args: [everything] },
    tasks: { command: process.execPath, args: [tasks] },
  })
})
afterAll(() => cluster?.stop())

/** A request through the proxy, or to one replica. */
function ask(
  method: string,
  params: Json,
  { headers = {}, to = -1 }: { headers?: Record<string, string>; to?: number } = {},
): Promise<Answer> {
  if (to >= 0) cluster.next(to)
  return post(cluster.url, method, params, headers)
}

const call = (module: string, tool_name: string, params: Json, to?: number, capabilities?: Json) =>
  ask(
    'tools/call',
    { ...callOf(module, tool_name, params), ...envelope(capabilities) },
    { headers: modern('tools/call', 'call'), ...(to !== undefined && { to }) },
  )

const openSession = (to: number): Promise<Record<string, string>> => {
  cluster.next(to)
  return initialise(cluster.url)
}

describe.skipIf(!hasPostgres || !hasRedis)('two replicas behind a proxy without affinity', () => {
  test('a client of the SDK lists, calls, hears and ends, whoever answers', async () => {
    const client = new Client({ name: 'test', version: '0' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${cluster.url}/mcp`)))
    for (let at = 0; at < 4; at++) {
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toContain('call')
    }
    const progress: unknown[] = []
    const params = {
      module: 'everything',
      tool_name: 'trigger-long-running-operation',
      params: { duration: 1, steps: 3 },
    }
    await client.callTool(
      { name: 'call', arguments: params },
      { onprogress: (one) => progress.push(one) },
    )
    expect(progress.length).toBeGreaterThan(1)
    await client.close()
  })

  test('a task is asked for at the replica that has it', async () => {
    const made = await call('tasks', 'quick', {}, 0, withTasks)
    const taskId = String(made.result?.taskId)
    const state = () =>
      ask(
        'tasks/get',
        { taskId, ...envelope(withTasks) },
        { headers: modern('tasks/get', taskId), to: 1 },
      )
    await expect.poll(async () => (await state()).result?.['status']).toBe('completed')
  })

  test('tools that one replica has read the other knows without its server', async () => {
    const { rows } = { rows: await cluster.cli('tools') }
    expect(rows).toContain('echo')
  })

  test('the journal has the calls of both, and is whole', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, at) => call('odd', 'echo', { text: 'j' }, at)))
    const lines = await cluster.cli('journal', '--tool', 'echo', '--limit', '100000')
    expect(lines.split('\n').length).toBeGreaterThanOrEqual(40)
    expect(await cluster.cli('journal', 'verify')).toMatch(/0 faults/)
  })

  test('a session whose replica was killed is over; the other goes on', async () => {
    const headers = await openSession(0)
    const capabilities = { elicitation: { form: {} } }
    const asked = await call('tasks', 'asks', {}, 0, capabilities)
    await killReplica(cluster, 0)
    const gone = await ask('tools/list', {}, { headers, to: 1 })
    expect(gone).toMatchObject({ status: 404, error: { code: -32001 } })
    const late = await ask(
      'tools/call',
      {
        name: 'call',
        arguments: { module: 'tasks', tool_name: 'asks', params: {} },
        requestState: asked.result?.requestState,
        inputResponses: {},
        ...envelope(capabilities),
      },
      { headers: modern('tools/call', 'call'), to: 1 },
    )
    expect(late.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('has ended'),
    })
    expect(textOf(await call('odd', 'echo', { text: 'still here' }, 1))).toBe('still here')
    const next = await openSession(1)
    expect((await ask('tools/list', {}, { headers: next, to: 1 })).status).toBe(200)
    await cluster.restart(0)
  })

  test('what belongs to a replica that was killed is not passed on to the one at its address', async () => {
    const headers = await openSession(0)
    await killReplica(cluster, 0)
    await cluster.restart(0)
    for (const to of [0, 1]) expect((await ask('tools/list', {}, { headers, to })).status).toBe(404)
  })

  test('sessions go on while Redis is down, and when it has lost everything', async () => {
    const headers = await openSession(0)
    for (const to of [0, 1]) await ask('tools/list', {}, { headers, to })
    await cluster.redis.kill()
    // Longer than a replica relies on what it has looked up.
    await sleep(700)
    for (const to of [0, 1]) expect((await ask('tools/list', {}, { headers, to })).status).toBe(200)
    await cluster.redis.start()
    for (let at = 0; at < 40; at++) {
      expect((await ask('tools/list', {}, { headers, to: at })).status).toBe(200)
      await sleep(50)
    }
  })

  test('a token is needed on both from the first one on, and one that is revoked is refused', async () => {
    const token = (await cluster.cli('token', 'create', 'ada')).trim()
    const statusOf = async (to: number, bearer?: string) => {
      const headers = {
        ...modern('tools/list'),
        ...(bearer && { authorization: `Bearer ${bearer}` }),
      }
      return (await ask('tools/list', envelope(), { headers, to })).status
    }
    for (const to of [0, 1]) {
      await expect.poll(() => statusOf(to)).toBe(401)
      expect(await statusOf(to, token)).toBe(200)
    }
    await cluster.cli('token', 'revoke', 'ada')
    for (const to of [0, 1]) await expect.poll(() => statusOf(to, token)).toBe(401)
  })

  test('signing in to the console of one replica is enough, and a link is for one use', async () => {
    const code = async (to: number, text: string) => {
      cluster.next(to)
      return fetch(`${cluster.url}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: cluster.url },
        body: JSON.stringify({ code: text }),
      })
    }
    const { createConsoleCode } = await import('@pith-mcp/console/server')
    const { createHmac } = await import('node:crypto')
    const shared = Buffer.from(cluster.env['PITH_CLUSTER_KEY'] ?? '', 'base64')
    const own = createConsoleCode(
      createHmac('sha256', shared).update('console').digest('base64url'),
    )
    const signedIn = await code(0, own)
    expect(signedIn.status).toBe(200)
    const { proof } = (await signedIn.json()) as { proof: string }
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const seen = async (to: number) => {
      cluster.next(to)
      const headers = { cookie, 'x-pith-proof': proof }
      return (await fetch(`${cluster.url}/api/v1/session`, { headers })).status
    }
    await expect.poll(() => seen(1)).toBe(200)
    expect(await seen(0)).toBe(200)
    expect((await code(1, own)).status).toBe(401)
    cluster.next(1)
    const headers = { cookie, 'x-pith-proof': proof, origin: cluster.url }
    const signedOut = await fetch(`${cluster.url}/api/v1/session`, { method: 'DELETE', headers })
    expect(signedOut.status).toBe(204)
    for (const to of [0, 1, 0]) await expect.poll(() => seen(to)).toBe(401)
  })

  test('a replica whose port is taken ends', async () => {
    const port = String(cluster.replicas[0]?.port)
    await expect(cluster.cli('--http', port)).rejects.toMatchObject({ code: 2 })
  })

  test('readyz says which engines are down', async () => {
    const ready = async () => (await fetch(`${cluster.replicas[1]?.url}/readyz`)).json()
    expect(await ready()).toEqual({ status: 'ok', database: 'ok', redis: 'ok' })
    await cluster.redis.kill()
    await expect.poll(ready).toMatchObject({ redis: 'down', status: 'ok' })
    await cluster.redis.start()
    await expect.poll(ready).toMatchObject({ redis: 'ok' })
  })
})
