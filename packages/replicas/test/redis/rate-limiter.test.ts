import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Engine, hasRedis, startRedis } from '../../../../test/engines.ts'
import {
  inMemoryRateLimiter,
  type RateLimiter,
} from '../../../aggregator/src/call/limits/rate-limiter.ts'
import { createResultStore } from '../../../aggregator/src/call/results/tiered-result-store.ts'
import { configOf, text } from '../../../aggregator/test/fake-servers.ts'
import { openAggregator } from '../../../aggregator/test/open-aggregator.ts'
import { createSigner } from '../../../base/src/signer.ts'
import { createLeases } from '../../src/redis/leases.ts'
import { openRedis } from '../../src/redis/open-redis.ts'
import { createRedisLimits } from '../../src/redis/redis-limits.ts'
import { createRedisResultStore } from '../../src/redis/redis-result-store.ts'

const signer = createSigner([Buffer.alloc(32, 1)])
const onLog = (): void => {}
const rate = { calls: 3, seconds: 60 }
const instead = 'calls are counted in this process'
let engine: Engine | undefined
beforeAll(async () => {
  if (hasRedis) engine = await startRedis()
})
afterAll(() => engine?.stop())

async function open(logs: string[] = [], url = engine?.url ?? '') {
  const redis = await openRedis(url, { onLog: (line) => void logs.push(line), instead })
  onTestFinished(() => redis.close())
  return { redis, limits: createRedisLimits(redis) }
}

const claim = (key: string, its = rate) => ({ key, what: key, setting: 'limits', rate: its })
/** Counts calls of one key. */
const callsOf =
  ({ count }: { count: RateLimiter }) =>
  async (key: string, its = rate): Promise<number | undefined> =>
    (await count([claim(key, its)]))[1]

describe.each(['in memory', ...(hasRedis ? ['in Redis'] : [])])('counting %s', (where) => {
  const counting = async () =>
    where === 'in Redis' ? (await open()).limits : { count: inMemoryRateLimiter() }

  test('lets so many pass of each key, and then says how long to wait', async () => {
    const count = callsOf(await counting())
    const key = crypto.randomUUID()
    for (let call = 0; call < 3; call++) expect(await count(key)).toBeUndefined()
    const wait = await count(key)
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60_000)
    expect(await count(crypto.randomUUID())).toBeUndefined()
  })

  test('counts calls that come at once', async () => {
    const count = callsOf(await counting())
    const key = crypto.randomUUID()
    const waits = await Promise.all(Array.from({ length: 100 }, () => count(key)))
    expect(waits.filter((wait) => wait === undefined)).toHaveLength(3)
  })

  test('counts in order, and nothing after a rate that is reached', async () => {
    const { count } = await counting()
    const [caller, server] = [crypto.randomUUID(), crypto.randomUUID()]
    const claims = [claim(caller, { calls: 2, seconds: 60 }), claim(server)]
    expect([await count(claims), await count(claims)]).toEqual([[], []])
    for (let call = 0; call < 3; call++) expect((await count(claims))[0]).toBe(1)
    expect(await count([claim(server)])).toEqual([])
    expect((await count([claim(crypto.randomUUID()), claim(server)]))[0]).toBe(2)
  })

  test('ends after fractions of a second', async () => {
    const count = callsOf(await counting())
    const [key, its] = [crypto.randomUUID(), { calls: 1, seconds: 0.4 }]
    expect(await count(key, its)).toBeUndefined()
    const wait = await count(key, its)
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(400)
    await expect.poll(() => count(key, its)).toBeUndefined()
  })
})

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const begun = performance.now()
  return { value: await work(), ms: performance.now() - begun }
}

test('without Redis each process counts by itself, which is said once', async () => {
  const logs: string[] = []
  const { redis, limits } = await open(logs, 'redis://127.0.0.1:9')
  const counter = callsOf(limits)
  for (let call = 0; call < 3; call++) expect(await counter('a')).toBeUndefined()
  expect(await counter('a')).toBeGreaterThan(0)
  expect(await limits.spent('s')).toBe(0)
  ;(await limits.acquire('server', 1, new AbortController().signal))()
  expect(redis.missed).toBeGreaterThan(4)
  expect(logs).toEqual([expect.stringMatching(/^Redis cannot be used \(.*\); calls are counted/)])
})

test('a port that accepts and says nothing holds up neither the start nor a call', async () => {
  const server = createServer((socket) => socket.on('error', () => {}))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { value, ms } = await timed(() => open([], `redis://127.0.0.1:${port}`))
  expect(ms).toBeLessThan(1_500)
  const counter = callsOf(value.limits)
  for (let call = 0; call < 3; call++) {
    const { value: wait, ms: waited } = await timed(() => counter('a'))
    expect(wait).toBeUndefined()
    expect(waited).toBeLessThan(1_000)
  }
  expect(await counter('a')).toBeGreaterThan(0)
})

describe.skipIf(!hasRedis)('with a real Redis', () => {
  const command = async (words: readonly string[]) => {
    const { redis } = await open()
    const [name = '', ...args] = words
    await redis.client.call(name, ...args)
  }

  test.each([
    ['is read-only', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE'], /READONLY/],
    [
      'is full',
      ['CONFIG', 'SET', 'maxmemory', '1'],
      ['CONFIG', 'SET', 'maxmemory', '0'],
      /OOM command not allowed/,
    ],
  ] as const)('one that %s is said, until it is over', async (_what, begin, end, said) => {
    const logs: string[] = []
    const { redis, limits } = await open(logs)
    const counter = callsOf(limits)
    expect(await counter(crypto.randomUUID())).toBeUndefined()
    await command(begin)
    expect((await timed(() => counter('a'))).ms).toBeLessThan(1_500)
    // It is left alone for a while: the next call waits for nothing.
    expect((await timed(() => counter('a'))).ms).toBeLessThan(150)
    expect(redis.missed).toBe(2)
    expect(logs).toEqual([expect.stringMatching(said)])
    await command(end)
    await expect
      .poll(() => counter(crypto.randomUUID()).then(() => logs.at(-1)))
      .toMatch(/^Redis can be used again; it was missing for \d+ commands?\.$/)
  })

  test('processes count calls and tokens together', async () => {
    const [one, other] = [await open(), await open()]
    const key = crypto.randomUUID()
    const waits = []
    for (let call = 0; call < 3; call++)
      for (const { limits } of [one, other]) waits.push(await callsOf(limits)(key))
    expect(waits.filter((wait) => wait === undefined)).toHaveLength(3)
    one.limits.spend(key, 10.4)
    other.limits.spend(key, 5)
    await expect.poll(() => one.limits.spent(key)).toBe(15)
  })

  test('a call is one command for the rates of its caller, its server and its tool', async () => {
    const { redis, limits } = await open()
    const { use } = openAggregator(
      { a: { tools: [{ name: 'work', run: () => text('done') }] } },
      {
        servers: [configOf('a')],
        sharedLimits: limits,
        limits: {
          caller: { calls: 9, seconds: 60 },
          server: { calls: 9, seconds: 50 },
          tool: rate,
        },
      },
    )
    const work = { module: 'a', tool_name: 'work' }
    await use('call', work)
    const attempt = vi.spyOn(redis, 'attempt')
    for (let call = 0; call < 2; call++) expect(await use('call', work)).toBe('done')
    expect(await use('call', work)).toMatch(/a\.work can be called 3 times in 60 s.*again in \d+ s/)
    expect(attempt).toHaveBeenCalledTimes(3)
  })

  test('slots are shared, and those of a process that ended are free', async () => {
    const [one, other] = [await open(), await open()]
    const key = crypto.randomUUID()
    const { signal } = new AbortController()
    const free = await one.limits.acquire(key, 1, signal)
    const late = other.limits.acquire(key, 1, AbortSignal.timeout(100))
    await expect(late).rejects.toThrow()
    free()
    const second = await other.limits.acquire(key, 1, signal)
    // As by kill -9: it is not renewed any more.
    other.redis.close()
    const third = timed(() => one.limits.acquire(key, 1, AbortSignal.timeout(9_000)))
    expect((await third).ms).toBeGreaterThan(3_000)
    second()
  })

  test('results are read by other processes, also long ones', async () => {
    const [one, other] = [await open(), await open()]
    const stores = [one, other].map(({ redis }) =>
      createRedisResultStore(redis, createResultStore(), { signer, onLog }),
    )
    const text = 'line\n'.repeat(1_000_000)
    expect(await stores[0]?.put('r1', text)).toBe(true)
    expect(await stores[1]?.get('r1')).toBe(text)
    expect(await stores[1]?.get('r2')).toBeUndefined()
    one.redis.close()
    expect(await stores[0]?.put('r3', text)).toBe(true)
    expect(await stores[0]?.get('r3')).toBe(text)
  })

  test('a lease has one holder, whom others know, and passes on when it ends', async () => {
    const [one, other] = [await open(), await open()].map(({ redis }) => ({
      redis,
      leases: createLeases(redis, signer, onLog),
    }))
    const held = await one?.leases.acquire('server', 'replica one')
    expect(held?.isHeld()).toBe(true)
    expect(await other?.leases.acquire('server', 'replica two')).toBeUndefined()
    expect(await other?.leases.holderOf('server')).toMatchObject({ text: 'replica one' })
    await held?.note('at another place')
    other?.leases.forget('server')
    expect(await other?.leases.holderOf('server')).toMatchObject({ text: 'at another place' })
    await held?.release()
    expect(held?.isHeld()).toBe(false)
    const second = await other?.leases.acquire('server', 'replica two')
    expect(second?.isHeld()).toBe(true)
    other?.redis.close()
    await expect
      .poll(() => one?.leases.acquire('server', 'one again'), { interval: 500 })
      .toBeDefined()
    expect(second?.isHeld()).toBe(false)
  })
})
