import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPostgres, hasRedis } from '../../../../test/engines.ts'
import { odd } from '../running/aggregator-process.ts'
import { type Cluster, startCluster } from './cluster.ts'

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)

let cluster: Cluster
beforeAll(async () => {
  if (!hasPostgres || !hasRedis) return
  cluster = await startCluster(2, {
    one: { ...odd(), per: 'cluster' },
    each: odd(),
    everything: { command: process.execPath, args: [everything], per: 'cluster' },
  })
})
afterAll(() => cluster?.stop())

/** A client of one replica, which can be asked. */
async function clientOf(index: number) {
  const client = new Client(
    { name: `client of ${index}`, version: '0' },
    { capabilities: { elicitation: { form: {} } } },
  )
  client.setRequestHandler('elicitation/create', async () => ({
    action: 'accept',
    content: { name: `asked at ${index}` },
  }))
  const url = new URL(`${cluster.replicas[index]?.url}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url))
  return client
}

async function call(client: Client, module: string, tool_name: string, params = {}, options = {}) {
  const request = { name: 'call', arguments: { module, tool_name, params } }
  const { content } = (await client.callTool(request, options)) as { content: { text: string }[] }
  return content.map(({ text }) => text).join('\n')
}

describe.skipIf(!hasPostgres || !hasRedis)('a server for all replicas', () => {
  test('has one process, which both use; others have one in each', async () => {
    const clients = [await clientOf(0), await clientOf(1)] as const
    const pids = (module: string) => Promise.all(clients.map((own) => call(own, module, 'pid')))
    const [here, there] = await pids('one')
    expect(here).toMatch(/^\d+$/)
    expect(there).toBe(here)
    const [mine, other] = await pids('each')
    expect(mine).not.toBe(other)
    for (const client of clients) await client.close()
  })

  test('progress, questions and errors come back to the client that calls', async () => {
    for (const index of [0, 1]) {
      const client = await clientOf(index)
      const progress: unknown[] = []
      const params = { duration: 1, steps: 3 }
      await call(client, 'everything', 'trigger-long-running-operation', params, {
        onprogress: (one: unknown) => progress.push(one),
      })
      expect(progress.length).toBeGreaterThan(1)
      const asked = await call(client, 'everything', 'trigger-elicitation-request')
      expect(asked).toContain(`asked at ${index}`)
      expect(await call(client, 'one', 'nothing')).toContain('nothing')
      await client.close()
    }
  })

  test('starts again in the other replica when its own was killed', async () => {
    const [one, two] = [await clientOf(0), await clientOf(1)]
    const before = await call(one, 'one', 'pid')
    const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${before}/status`, 'utf8'))?.[1]
    const holder = cluster.replicas.findIndex(({ child: { pid } }) => String(pid) === parent)
    expect(holder).not.toBe(-1)
    const { child } = cluster.replicas[holder] ?? {}
    child?.kill('SIGKILL')
    if (child) await once(child, 'exit')
    const left = holder === 0 ? two : one
    await expect
      .poll(() => call(left, 'one', 'pid').catch(String), { timeout: 12_000, interval: 250 })
      .toMatch(/^\d+$/)
    await cluster.restart(holder)
    const again = await clientOf(holder)
    await expect
      .poll(async () => (await call(again, 'one', 'pid')) === (await call(left, 'one', 'pid')), {
        timeout: 12_000,
      })
      .toBe(true)
  })

  test('another process without the key of the replicas cannot use it', async () => {
    const response = await fetch(`${cluster.replicas[1]?.url}/replica`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Replica guess' },
      body: '{}',
    })
    expect(response.status).toBe(404)
  })
})
