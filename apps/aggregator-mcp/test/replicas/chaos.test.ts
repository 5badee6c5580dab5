import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createDatabaseJournalReader } from '@pith-mcp/aggregator'
import { openDatabase } from '@pith-mcp/server-kit/database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPostgres, hasRedis } from '../../../../test/engines.ts'
import { argumentsOf, type ChaosClient, type Outcome, startClient } from './chaos-clients.ts'
import { type Cluster, startCluster } from './cluster.ts'

const seconds = Number(process.env['CHAOS_SECONDS'] ?? 120)
/** No request takes longer, whatever fails. */
const boundMs = 10_000
/** After the end of a fault every client has a good call within this time. */
const healMs = 5_000
/** After the end of a fault all replicas have found the engines and each other again. */
const settledMs = 3_000
/** From then to the next fault. */
const calmMs = 1_000
const callers = ['ada', 'bob']
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

let cluster: Cluster
let folder: string
let executions: string

beforeAll(async () => {
  if (!hasPostgres || !hasRedis) return
  folder = mkdtempSync(join(tmpdir(), 'pith-chaos-'))
  executions = join(folder, 'executions')
  const counting = {
    command: process.execPath,
    args: [here('counting-server.mjs'), executions],
    maxConcurrency: 32,
  }
  const limits = { caller: { calls: 1_000_000, seconds: 60 } }
  cluster = await startCluster(
    3,
    { counting },
    {
      aggregator: { journal: { failClosed: true }, limits },
      engines: { fsync: 'on' },
      env: { NODE_OPTIONS: `--import ${here('skewed-clock.mjs')}` },
    },
  )
})
afterAll(async () => {
  await cluster?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

type EngineName = 'postgres' | 'redis'

function cut(engine: EngineName): void {
  for (const { links } of cluster.replicas) links[engine].cut()
}
function heal(engine: EngineName, arrives: 'late' | 'never'): void {
  for (const { links } of cluster.replicas) links[engine].heal(arrives)
}

/** Each resolves at the end of the fault. */
const faults: Record<string, (turn: number) => Promise<unknown>> = {
  async 'a replica is killed'(turn) {
    await killReplica(turn)
    await cluster.restart(turn % cluster.replicas.length)
  },
  async 'PostgreSQL is killed'() {
    await cluster.postgres.kill()
    await sleep(1_000)
    await cluster.postgres.start()
  },
  async 'Redis is killed'() {
    await cluster.redis.kill()
    await sleep(1_000)
    await cluster.redis.start()
  },
  async 'PostgreSQL is cut off'() {
    cut('postgres')
    await sleep(4_000)
    heal('postgres', 'late')
  },
  async 'Redis is cut off'() {
    cut('redis')
    await sleep(3_000)
    heal('redis', 'late')
  },
  async 'PostgreSQL is cut off, and its connections are lost'() {
    cut('postgres')
    await sleep(2_000)
    heal('postgres', 'never')
  },
  async 'Redis is cut off, and its connections are lost'() {
    cut('redis')
    await sleep(2_000)
    heal('redis', 'never')
  },
  async 'both are cut off'() {
    cut('postgres')
    cut('redis')
    await sleep(2_000)
    heal('redis', 'late')
    heal('postgres', 'late')
  },
  async 'PostgreSQL is killed while Redis is cut off'() {
    cut('redis')
    await cluster.postgres.kill()
    await sleep(1_000)
    await cluster.postgres.start()
    heal('redis', 'never')
  },
  async 'a replica is killed while PostgreSQL is cut off'(turn) {
    cut('postgres')
    await sleep(1_000)
    await killReplica(turn)
    heal('postgres', 'never')
    await cluster.restart(turn % cluster.replicas.length)
  },
  async 'the clock of a replica jumps'(turn) {
    cluster.replicas[turn % cluster.replicas.length]?.child.kill('SIGUSR2')
  },
  async 'a replica is killed while Redis is'(turn) {
    await cluster.redis.kill()
    await killReplica(turn)
    await cluster.restart(turn % cluster.replicas.length)
    await cluster.redis.start()
  },
}

async function killReplica(turn: number): Promise<void> {
  const { child } = cluster.replicas[turn % cluster.replicas.length] ?? {}
  child?.kill('SIGKILL')
  if (child) await once(child, 'exit')
}

interface Fault {
  fault: string
  startedAt: number
  endedAt: number
  /** Milliseconds until every client had a good call. */
  healedMs: number
}

async function run() {
  const tokens = await Promise.all(callers.map((name) => cluster.cli('token', 'create', name)))
  const ending = new AbortController()
  const clients = callers.flatMap((name, index) =>
    (['2025', '2026'] as const).flatMap((era) =>
      ['a', 'b'].map((letter) => {
        const token = tokens[index]?.trim() ?? ''
        const caller = { name, token, url: cluster.url, era, boundMs }
        return startClient(caller, `${era}${letter}`, ending.signal)
      }),
    ),
  )
  const happened: Fault[] = []
  const begunAt = performance.now()
  await sleep(2_000)
  for (let turn = 0; performance.now() - begunAt < seconds * 1_000; turn++) {
    const all = Object.entries(faults)
    const [fault, happens] = all[turn % all.length] ?? all[0] ?? []
    const startedAt = performance.now()
    await happens?.(turn)
    const endedAt = performance.now()
    const healedMs = await healingOf(endedAt, clients)
    happened.push({ fault: String(fault), startedAt, endedAt, healedMs })
    await sleep(Math.max(0, settledMs - healedMs) + calmMs)
  }
  ending.abort()
  await Promise.all(clients.map(({ ended }) => ended))
  return { clients, happened, token: tokens[0]?.trim() }
}

async function healingOf(endedAt: number, clients: readonly ChaosClient[]): Promise<number> {
  for (;;) {
    const good = clients.map(({ outcomes }) =>
      outcomes.findLast(({ kind, startedAt }) => kind === 'answered' && startedAt > endedAt),
    )
    const ms = performance.now() - endedAt
    if (good.every((one) => one !== undefined) || ms > 8 * healMs) return Math.round(ms)
    await sleep(20)
  }
}

/** Calls that fail when everything has settled, and before the next fault. */
const failedInCalm = (outcomes: readonly Outcome[], happened: readonly Fault[]): Outcome[] =>
  happened.slice(1).flatMap(({ startedAt: until }, index) => {
    const { endedAt = 0, healedMs = 0 } = happened[index] ?? {}
    const since = endedAt + Math.max(healedMs, settledMs)
    return outcomes.filter(
      (one) => one.kind !== 'answered' && one.startedAt > since && one.endedAt < until,
    )
  })

const tally = (values: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

/** The calls in the journal, by the hash of their arguments. */
async function journalled() {
  const database = await openDatabase(cluster.postgres.url, { name: 'chaos' })
  const lines = new Map<string, { caller: string; outcome: string }[]>()
  for await (const line of createDatabaseJournalReader(database).read()) {
    if (line.tool !== 'count') continue
    const { argsHash = '', caller = '', outcome } = line
    lines.set(argsHash, [...(lines.get(argsHash) ?? []), { caller, outcome }])
  }
  await database.close()
  return lines
}

const argsHashOf = (key: string): string =>
  createHash('sha256')
    .update(JSON.stringify(argumentsOf(key)))
    .digest('hex')
    .slice(0, 16)

async function statusOf(url: string, token = ''): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  return (await fetch(`${url}/mcp`, { method: 'POST', headers, body: '{}' })).status
}

describe.skipIf(!hasPostgres || !hasRedis)('replicas whose engines and neighbours fail', () => {
  test('answer exactly, once, in time, and as the journal says', {
    timeout: (seconds + 120) * 1_000,
  }, async () => {
    const { clients, happened, token } = await run()
    const outcomes = clients.flatMap((one) => one.outcomes)
    const of = (kind: Outcome['kind']) => outcomes.filter((one) => one.kind === kind)
    const lines = await journalled()
    const executed = tally(readFileSync(executions, 'utf8').trim().split('\n'))
    const problems = {
      'answers for another call': of('wrong').map(({ text }) => text),
      'calls executed twice': Object.entries(executed).filter(([, count]) => count > 1),
      'answers without one execution': of('answered').filter(({ key }) => executed[key] !== 1),
      'refused and executed': of('refused').filter(({ key }) => executed[key] !== undefined),
      'answers without exactly one line': of('answered').filter(({ key, caller }) => {
        const found = lines.get(argsHashOf(key)) ?? []
        return (
          found.length !== 1 ||
          found[0]?.outcome !== 'ok' ||
          !found[0].caller.startsWith(`token:${caller}#`)
        )
      }),
      'calls with several lines of an execution': outcomes.filter(
        ({ key }) =>
          (lines.get(argsHashOf(key)) ?? []).filter(({ outcome }) => outcome === 'ok').length > 1,
      ),
      late: of('late'),
      'faults that did not heal in time': happened.filter(({ healedMs }) => healedMs > healMs),
      'calls that failed in between': failedInCalm(outcomes, happened),
    }
    const longest = Math.max(...outcomes.map((one) => one.endedAt - one.startedAt))
    const figures = {
      seconds,
      faults: happened.length,
      calls: outcomes.length,
      kinds: tally(outcomes.map(({ kind, era }) => `${era} ${kind}`)),
      reasons: tally(
        outcomes
          .filter(({ kind }) => kind !== 'answered')
          .map(({ era, kind, text }) => `${era} ${kind}: ${text.slice(0, 120)}`),
      ),
      sessions: clients.reduce((sum, { sessions }) => sum + sessions(), 0),
      'longest request, ms': Math.round(longest),
      'healed, ms': Object.fromEntries(
        Object.keys(faults).map((name) => [
          name,
          happened.filter(({ fault }) => fault === name).map(({ healedMs }) => healedMs),
        ]),
      ),
      ...Object.fromEntries(Object.entries(problems).map(([name, found]) => [name, found.length])),
    }
    process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`)
    const verified = await cluster.cli('journal', 'verify')
    process.stdout.write(verified)
    for (const [name, found] of Object.entries(problems))
      expect(found.slice(0, 3), name).toEqual([])
    expect(verified).toMatch(/0 faults/)
    // All replicas still hear what is changed.
    await cluster.cli('token', 'revoke', 'ada')
    for (const { url } of cluster.replicas)
      await expect.poll(() => statusOf(url, token), { timeout: 3_000 }).toBe(401)
  })
})
