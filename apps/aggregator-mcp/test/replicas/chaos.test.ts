import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '@pith-mcp/server-kit/database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabaseJournalReader } from '../../../../packages/replicas/src/journal/database-journal-reader.ts'
import { hasPostgres, hasRedis } from '../../../../test/engines.ts'
import { argumentsOf, type ChaosClient, type Outcome, startClient } from './chaos-clients.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { startCounter } from './counter.ts'
import { type Link, startLink } from './link.ts'
import { startSpan } from './stalled.ts'

/** Of the order of faults, and of how long they last. */
const seed = Number(process.env['CHAOS_SEED'] ?? 1)
const seconds = Number(process.env['CHAOS_SECONDS'] ?? 120)
/**
 * No request takes longer, whatever fails: 4 s of silence of another replica, .25 s until it is looked
 * for, .3 s for Redis; all other waits are shorter. After the end of a fault every client has a good
 * call within this time. The time that the machine is stalled does not count.
 */
const boundMs = 5_000
/** After the end of a fault all replicas have found the engines and each other again. */
const settledMs = 3_000
/** From then to the next fault. */
const calmMs = 1_000
const callers = ['ada', 'bob']
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

let cluster: Cluster
let folder: string
let executions: string
let counter: Awaited<ReturnType<typeof startCounter>>
let wayToCounter: Link

beforeAll(async () => {
  if (!hasPostgres || !hasRedis) return
  folder = mkdtempSync(join(tmpdir(), 'pith-chaos-'))
  executions = join(folder, 'executions')
  const counting = {
    command: process.execPath,
    args: [here('counting-server.mjs'), executions],
    maxConcurrency: 32,
  }
  counter = await startCounter(executions)
  wayToCounter = await startLink(counter.port)
  const shared = { url: `http://127.0.0.1:${wayToCounter.port}/mcp`, maxConcurrency: 32 }
  const limits = { caller: { calls: 1_000_000, seconds: 60 } }
  cluster = await startCluster(
    3,
    { counting, counter: shared },
    {
      aggregator: { journal: { failClosed: true }, limits },
      engines: { fsync: 'on' },
      isNamed: true,
      isProbed: true,
      env: { NODE_OPTIONS: `--import ${here('skewed-clock.mjs')}` },
    },
  )
})
afterAll(async () => {
  await cluster?.stop()
  wayToCounter?.close()
  counter?.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

type EngineName = 'postgres' | 'redis'

function cut(engine: EngineName): void {
  for (const { links } of cluster.replicas) links[engine].cut()
}
function heal(engine: EngineName, arrives: 'late' | 'never'): void {
  for (const { links } of cluster.replicas) links[engine].heal(arrives)
}

/** Numbers from 0 to 1, the same for a seed. */
function createRandom(state: number): () => number {
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
const random = createRandom(seed)
/** 1–20 s, more often short. */
const pause = (): Promise<void> => sleep(1_000 + 19_000 * random() ** 3)

const replicaAt = (turn: number) => cluster.replicas[turn % cluster.replicas.length]

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
  async 'a replica is frozen'(turn) {
    const { child } = replicaAt(turn) ?? {}
    child?.kill('SIGSTOP')
    await pause()
    child?.kill('SIGCONT')
  },
  async 'PostgreSQL is frozen'() {
    cluster.postgres.signal('SIGSTOP')
    await pause()
    cluster.postgres.signal('SIGCONT')
  },
  async 'Redis is frozen'() {
    cluster.redis.signal('SIGSTOP')
    await pause()
    cluster.redis.signal('SIGCONT')
  },
  async 'a replica is cut off from the others'(turn) {
    const { peers } = replicaAt(turn)?.links ?? {}
    peers?.cut()
    await pause()
    peers?.heal('late')
  },
  async 'a replica is cut off from all'(turn) {
    const links = Object.values(replicaAt(turn)?.links ?? {})
    for (const link of links) link.cut()
    await pause()
    for (const link of links) link.heal(random() < 0.5 ? 'late' : 'never')
  },
  async 'the counter is cut off'() {
    wayToCounter.cut()
    await sleep(2_000)
    wayToCounter.heal('late')
  },
  async 'the clock of a replica jumps'(turn) {
    replicaAt(turn)?.child.kill('SIGUSR2')
  },
  async 'a replica is killed while Redis is'(turn) {
    await cluster.redis.kill()
    await killReplica(turn)
    await cluster.restart(turn % cluster.replicas.length)
    await cluster.redis.start()
  },
}

async function killReplica(turn: number): Promise<void> {
  const { child } = replicaAt(turn) ?? {}
  child?.kill('SIGKILL')
  if (child) await once(child, 'exit')
}

interface Fault {
  fault: string
  startedAt: number
  endedAt: number
  /** Milliseconds until every client had a good call, without those in which the machine was stalled. */
  healedMs: number
  calmAt: number
}

async function run() {
  const tokens = await Promise.all(callers.map((name) => cluster.cli('token', 'create', name)))
  const ending = new AbortController()
  const clients = callers.flatMap((name, index) =>
    (['2025', '2026'] as const).flatMap((era) =>
      ['counting', 'counter'].map((module) => {
        const token = tokens[index]?.trim() ?? ''
        const caller = { name, module, token, url: cluster.url, era, boundMs }
        return startClient(caller, `${era}${module}`, ending.signal)
      }),
    ),
  )
  const happened: Fault[] = []
  const begunAt = performance.now()
  await sleep(2_000)
  let coming: [string, (turn: number) => Promise<unknown>][] = []
  for (let turn = 0; performance.now() - begunAt < seconds * 1_000; turn++) {
    // Each once, in an order of its own, before one comes again.
    if (coming.length === 0) coming = Object.entries(faults)
    const [[fault, happens] = []] = coming.splice(Math.floor(random() * coming.length), 1)
    const startedAt = performance.now()
    await happens?.(turn)
    const endedAt = performance.now()
    const span = startSpan()
    const healedMs = await healingOf(endedAt, span, clients)
    while (span.ms() < settledMs && performance.now() - endedAt < 5 * settledMs) await sleep(20)
    const calmAt = performance.now()
    happened.push({ fault: String(fault), startedAt, endedAt, healedMs, calmAt })
    await sleep(calmMs)
  }
  ending.abort()
  await Promise.all(clients.map(({ ended }) => ended))
  return { clients, happened, token: tokens[0]?.trim() }
}

async function healingOf(
  endedAt: number,
  span: ReturnType<typeof startSpan>,
  clients: readonly ChaosClient[],
): Promise<number> {
  for (;;) {
    const good = clients.map(({ outcomes }) =>
      outcomes.findLast(({ kind, startedAt }) => kind === 'answered' && startedAt > endedAt),
    )
    if (good.every((one) => one !== undefined) || span.ms() > 8 * boundMs)
      return Math.round(span.ms())
    await sleep(20)
  }
}

/** Calls that fail when everything has settled, and before the next fault. */
const failedInCalm = (outcomes: readonly Outcome[], happened: readonly Fault[]): Outcome[] =>
  happened.slice(1).flatMap(({ startedAt: until }, index) => {
    const since = happened[index]?.calmAt ?? 0
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
    timeout: (seconds + 600) * 1_000,
  }, async () => {
    const { clients, happened, token } = await run()
    const outcomes = clients.flatMap((one) => one.outcomes)
    const of = (kind: Outcome['kind']) => outcomes.filter((one) => one.kind === kind)
    const lines = await journalled()
    const executed = tally(readFileSync(executions, 'utf8').trim().split('\n'))
    const numbers = of('answered').flatMap(({ text }) => text.split(' ')[1] ?? [])
    const problems = {
      'answers for another call': of('wrong').map(({ text }) => text),
      'calls executed twice': Object.entries(executed).filter(([, count]) => count > 1),
      'answers without one execution': of('answered').filter(({ key }) => executed[key] !== 1),
      'increments with the number of another': numbers.filter(
        (one, index) => numbers.indexOf(one) !== index,
      ),
      'increments that were lost':
        counter.number() === Object.keys(executed).filter((key) => key.includes('counter')).length
          ? []
          : [counter.number()],
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
      'faults that did not heal in time': happened.filter(({ healedMs }) => healedMs > boundMs),
      'calls that failed in between': failedInCalm(outcomes, happened),
    }
    const longest = Math.max(...outcomes.map((one) => one.endedAt - one.startedAt))
    const figures = {
      seed,
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
    for (const { url } of cluster.replicas) await expect.poll(() => statusOf(url, token)).toBe(401)
  })
})
