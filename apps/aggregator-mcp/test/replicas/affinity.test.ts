import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort, hasPostgres, hasRedis } from '../../../../test/engines.ts'
import { odd } from '../running/aggregator-process.ts'
import { type Cluster, startCluster } from './cluster.ts'
import {
  callOf,
  envelope,
  initialise,
  killReplica,
  modern,
  post,
  textOf,
  withTasks,
} from './replica-client.ts'

const nginx = ['/usr/sbin/nginx', '/usr/local/bin/nginx'].find((path) => existsSync(path))
const file = new URL('../../../../deploy/nginx.conf', import.meta.url)
const tasks = fileURLToPath(new URL('../running/tasks-server.mjs', import.meta.url))

let cluster: Cluster
let url: string
let proxy: ChildProcess
let folder: string

/** Starts nginx with the file that users have, and with ports of this test. */
async function startNginx(): Promise<void> {
  const port = await freePort()
  folder = mkdtempSync(join(tmpdir(), 'pith-nginx-'))
  let content = readFileSync(file, 'utf8').replace('listen 80;', `listen 127.0.0.1:${port};`)
  for (const [index, replica] of cluster.replicas.entries())
    content = content.replaceAll(`replica-${index + 1}:8080`, `127.0.0.1:${replica.port}`)
  writeFileSync(join(folder, 'default.conf'), content)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  const main = join(folder, 'nginx.conf')
  writeFileSync(
    main,
    `${process.getuid?.() === 0 ? 'user root;' : ''} worker_processes 2; pid ${folder}/pid;
error_log stderr; events {} http { access_log off; ${paths} include ${folder}/default.conf; }`,
  )
  proxy = spawn(String(nginx), ['-c', main, '-e', 'stderr', '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  url = `http://127.0.0.1:${port}`
  while (!(await fetch(`${url}/healthz`).catch(() => undefined))?.ok) await sleep(50)
}

const isPossible = hasPostgres && hasRedis && nginx !== undefined

beforeAll(async () => {
  if (!isPossible) return
  const servers = { odd: odd(), tasks: { command: process.execPath, args: [tasks] } }
  cluster = await startCluster(2, servers, { isNamed: true })
  await startNginx()
})
afterAll(async () => {
  if (proxy) {
    proxy.kill('SIGQUIT')
    await once(proxy, 'exit')
    rmSync(folder, { recursive: true })
  }
  await cluster?.stop()
})

const passedOn = (): number =>
  cluster.replicas.reduce((sum, { links }) => sum + links.peers.count(), 0)
/** The replica that a session belongs to, by its number. */
const ownerOf = (session: Record<string, string>): number =>
  Number(/^rreplica(\d)\./.exec(session['mcp-session-id'] ?? '')?.[1])
const echo = (to: string, session: Record<string, string>, text: string) =>
  post(to, 'tools/call', callOf('odd', 'echo', { text }), session)

describe.skipIf(!isPossible)('two replicas behind nginx with deploy/nginx.conf', () => {
  test('requests without a session alternate', async () => {
    const owners: number[] = []
    for (let at = 0; at < 8; at++) owners.push(ownerOf(await initialise(url)))
    // Each also sends a notification, which has a session.
    expect(owners).toEqual(owners.map((_, at) => ((at + (owners[0] ?? 0) + 1) % 2) + 1))
  })

  test('requests of a session and of a task reach their replica, and none is passed on', async () => {
    const sessions = [await initialise(url), await initialise(url)]
    expect(sessions.map(ownerOf).sort()).toEqual([1, 2])
    const before = passedOn()
    for (const session of sessions)
      for (let at = 0; at < 20; at++)
        expect(textOf(await echo(url, session, `${at}`))).toBe(`${at}`)
    for (let at = 0; at < 4; at++) {
      const params = { ...callOf('tasks', 'quick', {}), ...envelope(withTasks) }
      const made = await post(url, 'tools/call', params, modern('tools/call', 'call'))
      const taskId = String(made.result?.taskId)
      const get = { taskId, ...envelope(withTasks) }
      const { result } = await post(url, 'tasks/get', get, modern('tasks/get', taskId))
      expect(result).toMatchObject({ taskId })
    }
    expect(passedOn()).toBe(before)
    // Without nginx, one is passed on.
    const other = cluster.replicas[2 - ownerOf(sessions[0] ?? {})]
    expect(textOf(await echo(String(other?.url), sessions[0] ?? {}, 'on'))).toBe('on')
    expect(passedOn()).toBe(before + 1)
  })

  test('a name that a running replica has is refused', async () => {
    const starting = cluster.restart(2, { PITH_REPLICA_NAME: 'replica1' })
    await expect(starting).rejects.toThrow('PITH_REPLICA_NAME: a replica replica1 is running.')
  })

  test('a client whose replica has ended must initialise, and gets another one', async () => {
    const sessions = [await initialise(url), await initialise(url)]
    const own = sessions.find((session) => ownerOf(session) === 1) ?? {}
    await killReplica(cluster, 0)
    expect(await echo(url, own, 'x')).toMatchObject({ status: 404, error: { code: -32001 } })
    for (let at = 0; at < 4; at++) {
      const next = await initialise(url)
      expect(ownerOf(next)).toBe(2)
      expect(textOf(await echo(url, next, 'on'))).toBe('on')
    }
  })

  test('a replica that is started again has its name and no session of before', async () => {
    const other = String(cluster.replicas[1]?.url)
    await cluster.restart(0)
    const again = String(cluster.replicas[0]?.url)
    const session = await initialise(again)
    expect(ownerOf(session)).toBe(1)
    expect(textOf(await echo(other, session, 'passed on'))).toBe('passed on')
    const asked = { elicitation: { form: {} } }
    const params = { ...callOf('tasks', 'asks', {}), ...envelope(asked) }
    const headers = modern('tools/call', 'call')
    const { result } = await post(again, 'tools/call', params, headers)
    expect(result?.['resultType']).toBe('input_required')
    await killReplica(cluster, 0)
    await cluster.restart(0)
    for (const to of [other, again]) {
      expect(await echo(to, session, 'x')).toMatchObject({ status: 404 })
      const { requestState } = result ?? {}
      const late = await post(
        to,
        'tools/call',
        { ...params, requestState, inputResponses: {} },
        headers,
      )
      expect(late.error?.code ?? late.result?.['isError']).toBeTruthy()
    }
    expect(await cluster.cli('journal', 'verify')).toMatch(/0 faults/)
  })
})
