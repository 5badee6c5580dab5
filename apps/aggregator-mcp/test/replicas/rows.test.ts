import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../packages/base/test/temporary-folder.ts'
import { hasPostgres, hasRedis } from '../../../../test/engines.ts'
import { odd } from '../running/aggregator-process.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { startCounter } from './counter.ts'
import { callOf, envelope, initialise, type Json, modern, post, textOf } from './replica-client.ts'

const tasks = fileURLToPath(new URL('../running/tasks-server.mjs', import.meta.url))
const token = (name: string): string => `${name}-of-the-test`
const as = (name: string) => ({ authorization: `Bearer ${token(name)}` })
const soon = { timeout: 10_000 }

describe.skipIf(!hasPostgres || !hasRedis).each([2, 4])('%i replicas', (count) => {
  let cluster: Cluster
  let counter: Awaited<ReturnType<typeof startCounter>>
  const folder = temporaryFolder()
  beforeAll(async () => {
    counter = await startCounter(join(folder, 'executions'))
    cluster = await startCluster(
      count,
      {
        odd: odd(),
        tasks: { command: process.execPath, args: [tasks] },
        counter: { url: `http://127.0.0.1:${counter.port}/mcp` },
      },
      {
        aggregator: {
          trust: { new: 'hold' },
          callers: {
            free: { token: token('free') },
            rated: { token: token('rated'), rate: { calls: 5, seconds: 60 } },
            poor: { token: token('poor'), sessionTokens: 3_000 },
          },
        },
      },
    )
    await post(urlOf(0), 'tools/list', envelope(), { ...modern('tools/list'), ...as('free') })
    await approveAll()
  }, 120_000)
  afterAll(async () => {
    await cluster?.stop()
    counter?.close()
  })

  const urlOf = (index: number): string => String(cluster.replicas[index % count]?.url)
  const all = Array.from({ length: count }, (_, index) => index)
  /** Approves on a machine that is no replica, once it knows all tools. */
  async function approveAll(): Promise<void> {
    for (let tries = 0; tries < 20; tries++) {
      const listed = await cluster.cli('pin', 'list')
      if (/odd/.test(listed) && /counter/.test(listed) && /tasks/.test(listed)) break
    }
    await cluster.cli('pin', 'approve', '--all')
  }
  const call = (
    to: number,
    [module, tool]: [string, string],
    params: Json,
    {
      caller = 'free',
      capabilities = {},
      more = {},
    }: { caller?: string; capabilities?: Json; more?: Json } = {},
  ) =>
    post(
      urlOf(to),
      'tools/call',
      { ...callOf(module, tool, params), ...envelope(capabilities), ...more },
      { ...modern('tools/call', 'call'), ...as(caller) },
    )

  test('calls of both revisions, and pages of a result, work at each', async () => {
    const session = { ...(await initialise(urlOf(0), as('free'))), ...as('free') }
    for (const to of all) {
      const params = callOf('odd', 'echo', { text: `${to}` })
      expect(textOf(await post(urlOf(to), 'tools/call', params, session))).toBe(`${to}`)
      expect(textOf(await call(to, ['odd', 'echo'], { text: `${to}` }))).toBe(`${to}`)
    }
    const first = textOf(await call(0, ['odd', 'echo'], { text: 'word '.repeat(40_000) }))
    const args = JSON.parse(/read_more\((\{.*?\})\)/.exec(first)?.[1] ?? '{}') as Json
    for (const to of all) {
      const params = { name: 'read_more', arguments: args, ...envelope() }
      const headers = { ...modern('tools/call', 'read_more'), ...as('free') }
      expect(textOf(await post(urlOf(to), 'tools/call', params, headers))).toContain('word word')
    }
  })

  test('a question is answered at each', async () => {
    const capabilities = { elicitation: { form: {} } }
    for (const to of [0, ...all]) {
      const { result } = await call(0, ['tasks', 'asks'], {}, { capabilities })
      const [id = ''] = Object.keys(Object(result?.['inputRequests']))
      const more = {
        requestState: result?.requestState,
        inputResponses: { [id]: { action: 'accept', content: { name: 'Ada' } } },
      }
      expect(textOf(await call(to, ['tasks', 'asks'], {}, { capabilities, more }))).toBe(
        'hello Ada',
      )
    }
  })

  test('a shared server over HTTP has one state for all', async () => {
    const numbers: number[] = []
    for (const to of all) {
      const said = textOf(await call(to, ['counter', 'count'], { key: 'k' }))
      numbers.push(Number(said.split(' ')[1]))
    }
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
  })

  test('all hear of a tool and of a resource that change, and the tool is callable at each', async () => {
    const heard: string[] = []
    const clients: Client[] = []
    for (const to of all) {
      const client = new Client({ name: 'test', version: '0' })
      client.setNotificationHandler('notifications/tools/list_changed', () => {
        heard.push(`tools ${to}`)
      })
      client.setNotificationHandler('notifications/resources/updated', () => {
        heard.push(`resource ${to}`)
      })
      const url = new URL(`${urlOf(to)}/mcp?mode=full`)
      const requestInit = { headers: as('free') }
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
      await client.listTools()
      const { resources } = await client.listResources()
      const { uri = '' } = resources.find(({ name }) => name.includes('number')) ?? {}
      await client.subscribeResource({ uri })
      clients.push(client)
    }
    await call(count - 1, ['counter', 'count'], { key: 'k' })
    for (const to of all) await expect.poll(() => heard, soon).toContain(`resource ${to}`)
    await call(count - 1, ['counter', 'add'], { key: 'fresh' })
    // It is held until somebody approves it, on any machine.
    await expect.poll(() => cluster.cli('pin', 'list'), soon).toContain('fresh')
    expect(textOf(await call(0, ['counter', 'fresh'], { key: 'f' }))).not.toMatch(/^f \d/)
    await cluster.cli('pin', 'approve', 'counter', 'fresh')
    for (const to of all) {
      await expect.poll(() => heard, soon).toContain(`tools ${to}`)
      const named = async () => (await clients[to]?.listTools())?.tools.map(({ name }) => name)
      await expect.poll(named, soon).toContain('counter__fresh')
      expect(textOf(await call(to, ['counter', 'fresh'], { key: 'f' }))).toMatch(/^f \d/)
    }
    for (const client of clients) await client.close()
  })

  test('a rate and a budget are counted together', async () => {
    const rated = await Promise.all(
      Array.from({ length: 16 }, (_, to) =>
        call(to, ['odd', 'echo'], { text: 'r' }, { caller: 'rated' }),
      ),
    )
    expect(rated.filter((one) => textOf(one) === 'r')).toHaveLength(5)
    const ready = async (to: number) => (await fetch(`${urlOf(to)}/readyz`)).json()
    for (const to of all) await expect.poll(() => ready(to), soon).toMatchObject({ redis: 'ok' })
    const text = 'word '.repeat(250)
    let within = 0
    for (let to = 0; to < 16; to++)
      if (textOf(await call(to, ['odd', 'echo'], { text }, { caller: 'poor' })) === text) within++
    // 250 to 300 tokens each, as they are estimated.
    expect(within).toBeGreaterThanOrEqual(8)
    expect(within).toBeLessThanOrEqual(13)
  })

  test('a token that is made anywhere counts at each, and none that is revoked', async () => {
    const made = (await cluster.cli('token', 'create', 'ada')).trim()
    const statusOf = async (to: number) => {
      const headers = { ...modern('tools/list'), authorization: `Bearer ${made}` }
      return (await post(urlOf(to), 'tools/list', envelope(), headers)).status
    }
    for (const to of all) await expect.poll(() => statusOf(to), soon).toBe(200)
    await cluster.cli('token', 'revoke', 'ada')
    for (const to of all) await expect.poll(() => statusOf(to), soon).toBe(401)
  })

  test('the figures and the journal of all are read on any machine', async () => {
    expect(await cluster.cli('stats')).toMatch(/counter/)
    expect(await cluster.cli('journal', 'verify')).toMatch(/0 faults/)
  })
})
