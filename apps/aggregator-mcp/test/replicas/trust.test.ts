import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@pith-mcp/server-kit/database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRedis } from '../../../../packages/replicas/src/redis/open-redis.ts'
import { freePort, hasPostgres, hasRedis } from '../../../../test/engines.ts'
import { listening } from '../open/serve-here.ts'
import { odd } from '../running/aggregator-process.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type Link, startLink } from './link.ts'

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)

let cluster: Cluster
let link: Link
let token = ''
const query = async (text: string) => {
  const database = await openDatabase(cluster.postgres.url, { name: 'attack' })
  await database.query(text)
  await database.close()
}

beforeAll(async () => {
  if (!hasPostgres || !hasRedis) return
  const servers = { odd: odd(), everything: { command: process.execPath, args: [everything] } }
  cluster = await startCluster(2, servers, { aggregator: { trust: { new: 'allow' } } })
  token = (await cluster.cli('token', 'create', 'ada')).trim()
})
afterAll(async () => {
  link?.close()
  await cluster?.stop()
})

async function end(index: number): Promise<void> {
  const { child } = cluster.replicas[index] ?? {}
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const urlOf = (index: number): string => `${cluster.replicas[index]?.url}/mcp`

function ask(at: number, method: string, params: object, session?: string): Promise<Response> {
  return fetch(urlOf(at), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
      ...(session && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
}

async function openSession(at: number): Promise<string> {
  const reply = await ask(at, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  })
  await reply.text()
  const session = reply.headers.get('mcp-session-id') ?? ''
  await (await ask(at, 'notifications/initialized', {}, session)).text()
  return session
}

/** A call that lasts `seconds`, through a replica that does not have the session. */
async function work(at: number, session: string, seconds: number) {
  const begunAt = performance.now()
  const params = { duration: seconds, steps: seconds }
  const args = { module: 'everything', tool_name: 'trigger-long-running-operation', params }
  const reply = await ask(at, 'tools/call', { name: 'call', arguments: args }, session)
  const text = await reply.text().catch((error: unknown) => String(error))
  return { status: reply.status, text, ms: performance.now() - begunAt }
}

/** A stream of notifications, which ends when its session does. */
async function listen(at: number, session: string): Promise<number> {
  const reply = await fetch(urlOf(at), {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      'mcp-session-id': session,
      'mcp-protocol-version': '2025-11-25',
    },
  })
  await reply.text().catch(() => '')
  return performance.now()
}

describe.skipIf(!hasPostgres || !hasRedis)('a replica that hangs', () => {
  async function hang(freeze: () => void): Promise<void> {
    const session = await openSession(0)
    expect((await work(1, session, 1)).text).toContain('completed')
    const stream = listen(1, session)
    const before = work(1, session, 30)
    await sleep(1_500)
    const frozenAt = performance.now()
    freeze()
    const at = [0, 1_000, 3_500, 5_500, 8_000]
    const after = at.map((ms) => sleep(ms).then(() => work(1, session, 30)))
    const ends = await Promise.all([before, ...after])
    expect((await stream) - frozenAt).toBeLessThan(6_500)
    for (const { ms } of ends.slice(1)) expect(ms).toBeLessThan(5_500)
    expect(ends[0]?.ms).toBeLessThan(1_500 + 5_500)
    expect(ends[0]?.text).toContain('may have had effects and was not repeated')
    for (const { status, text } of ends)
      expect(status === 404 || text.includes('may have had effects'), text).toBe(true)
  }

  test('a call that lasts is not cut while its replica works', async () => {
    const session = await openSession(0)
    const { text } = await work(1, session, 10)
    expect(text).toContain('completed')
  }, 30_000)

  test('keeps nobody waiting, before, at and after it hangs', async () => {
    const { child } = cluster.replicas[0] ?? {}
    await hang(() => child?.kill('SIGSTOP'))
    const session = await openSession(1)
    expect((await work(1, session, 1)).text).toContain('completed')
    child?.kill('SIGCONT')
    await end(0)
    await cluster.restart(0)
  }, 60_000)

  test('nor does one that nothing comes from any more, though it renews its lease', async () => {
    const port = await freePort()
    link = await startLink(port)
    await end(0)
    await cluster.restart(0, {
      PITH_REPLICA_LISTEN: `127.0.0.1:${port}`,
      PITH_REPLICA_URL: `http://127.0.0.1:${link.port}`,
    })
    const session = await openSession(0)
    expect((await work(1, session, 1)).text).toContain('completed')
    const stream = listen(1, session)
    const before = work(1, session, 30)
    await sleep(6_000)
    const cutAt = performance.now()
    link.cut()
    expect((await before).text).toContain('may have had effects and was not repeated')
    expect((await before).ms).toBeLessThan(6_000 + 5_500)
    expect((await stream) - cutAt).toBeLessThan(5_500)
    for (let turn = 0; turn < 2; turn++) {
      const { text, ms } = await work(1, session, 1)
      expect(text).toContain('may have had effects and was not repeated')
      expect(ms).toBeLessThan(5_500)
    }
    await end(0)
    await cluster.restart(0)
  }, 60_000)
})

describe.skipIf(!hasPostgres || !hasRedis)(
  'whoever writes Redis and PostgreSQL without the key',
  () => {
    test('gets no request, and replaces no result', async () => {
      const session = await openSession(0)
      const id = session.slice(1, 9)
      const caught: string[] = []
      const port = await listening(
        createServer((request, response) => {
          caught.push(JSON.stringify(request.headers))
          response.end('{}')
        }),
      )
      const { client: redis } = await openRedis(cluster.redis.url, { onLog() {}, instead: '' })
      const own = await redis.get(`pith:lease-2:replica ${id}`)
      const address = own?.split(' ').at(-1) ?? ''
      expect(address).toMatch(/^http:/)
      expect(address).not.toBe(cluster.replicas[0]?.url)
      const forged = own?.replace(address, `http://127.0.0.1:${port}`) ?? ''
      for (const value of [forged, `http://127.0.0.1:${port}`])
        for (const key of [`pith:lease-2:replica ${id}`, `pith:lease:replica ${id}`]) {
          // 503: Redis did not answer in time, and nothing was looked up.
          let status = 503
          while (status === 503) {
            await redis.set(key, value, 'PX', 3_000)
            await sleep(600)
            const reply = await ask(1, 'tools/list', {}, session)
            await reply.text()
            status = reply.status
          }
          expect([200, 404]).toContain(status)
        }
      expect(caught).toEqual([])
      const long = { module: 'odd', tool_name: 'echo', params: { text: 'word '.repeat(40_000) } }
      const other = await openSession(1)
      const first = await (
        await ask(1, 'tools/call', { name: 'call', arguments: long }, other)
      ).text()
      const args = /read_more\((\{.*?\})\)/.exec(first.replaceAll('\\"', '"'))?.[1] ?? '{}'
      for (const key of await redis.keys('pith:result-2:*')) await redis.set(key, 'replaced')
      redis.disconnect()
      for (const at of [0, 1]) {
        const next = await openSession(at)
        const params = { name: 'read_more', arguments: JSON.parse(args) }
        expect(await (await ask(at, 'tools/call', params, next)).text()).not.toContain('replaced')
      }
      // What the listener for replicas takes from others: nothing.
      for (const init of [
        {},
        { headers: { authorization: `Bearer ${token}` } },
        {
          method: 'POST',
          body: '{}',
          headers: { authorization: 'Replica x', 'x-pith-client': 'x' },
        },
      ])
        expect((await fetch(new URL('/mcp', address), init)).status).toBe(403)
      await end(0)
      await cluster.restart(0)
    }, 30_000)

    test('signs nobody in to the console, and approves nothing; doctor names what does not count', async () => {
      await query(`INSERT INTO pith_documents (kind, name, body, revision, mac) VALUES ('console-sessions',
      encode(sha256('ccc ppp'), 'hex'), '{"signedIn":{"kind":"owner"},"scopes":["mcp","console:read","console"],"usedAt":${Date.now()}}',
      nextval('pith_document_revisions'), '');
      SELECT pg_notify('pith_documents', json_build_array(kind, name)::text) FROM pith_documents WHERE mac = ''`)
      const { url, stderr } = cluster.replicas[1] ?? { url: '', stderr: () => '' }
      await expect.poll(stderr).toContain('The document console-sessions ')
      const headers = { cookie: 'pith_console=ccc', 'x-pith-proof': 'ppp' }
      expect((await fetch(`${url}/api/v1/tokens`, { headers })).status).toBe(401)
      const said = await cluster.cli('doctor').catch(({ stdout }) => String(stdout))
      expect(said).toContain('! database: The document console-sessions ')
      const words = ['token', 'create', 'viewer', '--scope', 'console:read']
      const owner = { authorization: `Bearer ${(await cluster.cli(...words)).trim()}` }
      const items = await (await fetch(`${url}/api/v1/attention`, { headers: owner })).text()
      expect(items).toContain('"kind":"document_refused"')
      await query(`DELETE FROM pith_documents WHERE mac = ''`)
    }, 30_000)
  },
)

describe.skipIf(!hasPostgres || !hasRedis)('the key of replicas', () => {
  test('another one is refused at the start, and two replace one another', async () => {
    const old = cluster.env['PITH_CLUSTER_KEY'] ?? ''
    const young = randomBytes(32).toString('base64')
    await end(0)
    const refused = cluster.restart(0, { PITH_CLUSTER_KEY: young })
    await expect(refused).rejects.toThrow('PITH_CLUSTER_KEY is not the key of this database')
    for (const key of [`${old},${young}`, `${young},${old}`, young])
      for (const index of [0, 1]) {
        await end(index)
        cluster.env['PITH_CLUSTER_KEY'] = key
        await cluster.restart(index)
        const session = await openSession(0)
        for (const at of [0, 1]) {
          const reply = await ask(at, 'tools/list', {}, session)
          expect(reply.status, `${key === young} ${index} ${at}`).toBe(200)
          await reply.text()
        }
      }
    await end(0)
    const late = cluster.restart(0, { PITH_CLUSTER_KEY: old })
    await expect(late).rejects.toThrow('PITH_CLUSTER_KEY is not the key of this database')
  }, 120_000)

  test('documents of an earlier version count once somebody has vouched for them', async () => {
    await end(1)
    await query(`DELETE FROM pith_cluster; UPDATE pith_documents SET mac = ''`)
    await expect(cluster.restart(0)).rejects.toThrow('aggregator-mcp migrate --sign')
    expect(await cluster.cli('migrate', '--sign')).toContain('Signed: tokens all')
    for (const index of [0, 1]) await cluster.restart(index)
    for (const at of [0, 1]) expect(await openSession(at)).not.toBe('')
  }, 60_000)
})
