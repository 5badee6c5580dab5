import { expect, onTestFinished, test, vi } from 'vitest'
import { createResultStore } from '../../../aggregator/src/call/results/tiered-result-store.ts'
import { createSigner } from '../../../base/src/signer.ts'
import { createLeases } from '../../src/redis/leases.ts'
import type { RedisConnection } from '../../src/redis/open-redis.ts'
import { createRedisLimits } from '../../src/redis/redis-limits.ts'
import { createRedisResultStore } from '../../src/redis/redis-result-store.ts'
import { createRevisionMarks } from '../../src/redis/revision-marks.ts'

/** What all who can reach Redis can read and write; it answers until it is `down`. */
function startRedis() {
  const values = new Map<string, string | Buffer>()
  const state = { isDown: false, ttl: 4_000 }
  const client = {
    async set(key: string, value: string | Buffer, ...[, , only]: unknown[]) {
      if (only === 'NX' && values.has(key)) return null
      values.set(key, value)
      return 'OK'
    },
    getBuffer: async (key: string) => values.get(key) ?? null,
    async eval(script: string, _keys: number, key: string, ...args: string[]) {
      const held = values.get(key) as string | undefined
      if (script.includes('PTTL')) return [held ?? null, held === undefined ? -2 : state.ttl]
      const [holder = '', value = ''] = args
      if (held?.startsWith(holder) === false) return null
      values.set(key, value)
      return 'OK'
    },
  }
  const redis = {
    attempt: async (run: (given: typeof client) => Promise<unknown>) =>
      state.isDown ? undefined : { value: await run(client) },
  } as unknown as RedisConnection
  return { redis, values, state }
}

const [key, otherKey] = [createSigner([Buffer.alloc(32, 1)]), createSigner([Buffer.alloc(32, 2)])]

function startLeases() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const started = startRedis()
  const logs: string[] = []
  const open = (signer = key) => createLeases(started.redis, signer, (text) => logs.push(text))
  const textOf = async (leases: ReturnType<typeof open>, name = 'replica a') => {
    vi.advanceTimersByTime(501)
    return (await leases.holderOf(name))?.text
  }
  return { ...started, logs, open, textOf }
}

test('a lease that is not signed for its name does not exist, which is said once', async () => {
  const { values, logs, open, textOf } = startLeases()
  const [one, two] = [open(), open()]
  await one.acquire('replica a', 'http://a')
  expect(await textOf(two)).toBe('http://a')
  const [[stored, signed] = ['', '']] = values as Iterable<[string, string]>
  for (const forged of ['x', 'http://thief', '', signed.replace('http://a', 'http://thief')]) {
    values.set(stored, forged)
    expect(await textOf(open())).toBeUndefined()
  }
  values.set(stored.replace('replica a', 'replica b'), signed)
  expect(await textOf(two, 'replica b')).toBeUndefined()
  values.delete(stored)
  await open(otherKey).acquire('replica a', 'http://thief')
  expect(await textOf(open())).toBeUndefined()
  const reader = open()
  values.set(stored, 'x')
  const before = logs.length
  for (let look = 0; look < 3; look++) await textOf(reader)
  expect(logs.length - before).toBe(1)
})

test('a lease lasts while it is renewed, not while somebody repeats its value', async () => {
  const { values, state, open, textOf } = startLeases()
  const [one, two] = [open(), open()]
  const lease = await one.acquire('replica a', 'http://a')
  for (let look = 0; look < 20; look++) expect(await textOf(two)).toBe('http://a')
  const [[stored, signed] = ['', '']] = values as Iterable<[string, string]>
  await lease?.release()
  state.ttl = 1_000_000
  const seen: (string | undefined)[] = []
  for (let look = 0; look < 10; look++) {
    values.set(stored, signed)
    seen.push(await textOf(two))
  }
  expect(seen.slice(0, 7)).toContain('http://a')
  expect(new Set(seen.slice(8))).toEqual(new Set([undefined]))
  // Nor is it of use to those who have never seen it, when it is old.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 4_000_000)
  onTestFinished(() => void vi.restoreAllMocks())
  expect((await open().holderOf('replica a'))?.text).toBeUndefined()
})

test('while Redis is down, and until it is renewed there, a lease is as it was known last', async () => {
  const { values, state, open, textOf } = startLeases()
  const [one, two] = [open(), open()]
  await one.acquire('replica a', 'http://a')
  await textOf(two)
  state.isDown = true
  for (let look = 0; look < 20; look++) expect(await textOf(two)).toBe('http://a')
  state.isDown = false
  values.clear()
  expect(await textOf(two)).toBe('http://a')
})

test('a result that is not signed for its id does not exist, which is said once', async () => {
  const { redis, values } = startRedis()
  const logs: string[] = []
  const open = (signer = key) =>
    createRedisResultStore(redis, createResultStore(), {
      signer,
      onLog: (text) => logs.push(text),
    })
  const [one, two] = [open(), open()]
  await one.put('r1', 'the result of one')
  await one.put('r2', 'the result of another')
  expect(await two.get('r1')).toBe('the result of one')
  await open(otherKey).put('r3', 'forged')
  const [first = '', second = '', third = ''] = values.keys()
  const forged = [
    values.get(second),
    values.get(third),
    (values.get(third) as Buffer).subarray(43),
    Buffer.from('x'),
  ]
  for (const value of forged) {
    values.set(first, value as Buffer)
    expect(await two.get('r1')).toBeUndefined()
  }
  expect(logs).toHaveLength(1)
})

/** Redis that answers each command with the same. */
const answering = (value: unknown): RedisConnection => {
  const answer = async () => value
  const client = { eval: answer, set: answer, mget: answer, getBuffer: answer, get: answer }
  return {
    attempt: async (run: (given: typeof client) => Promise<unknown>) => ({
      value: await run(client),
    }),
  } as unknown as RedisConnection
}
const odd = [
  null,
  0,
  7,
  -1,
  '',
  'x',
  'OK',
  [],
  [null],
  [7],
  [[]],
  ['x', 'y'],
  {},
  true,
  Buffer.from('x'),
]

test.each(odd)('what Redis answers is input: %j', async (value) => {
  const redis = answering(value)
  const leases = createLeases(redis, key, () => {})
  expect(await leases.holderOf('replica a')).toBeUndefined()
  const lease = await leases.acquire('replica b', 'x')
  await lease?.note('y')
  await lease?.release()
  const marks = createRevisionMarks(redis, key)
  expect(await marks.of([{ kind: 'pins', name: 'a' }])).toEqual([undefined])
  marks.note({ kind: 'pins', name: 'a', revision: '1' })
  const local = createResultStore('')
  const results = createRedisResultStore(redis, local, { signer: key, onLog() {} })
  expect(await results.get('a')).toBeUndefined()
  const limits = createRedisLimits(redis)
  await limits.count([
    { key: 'a', what: 'calls', setting: 'limits', rate: { calls: 5, seconds: 1 } },
  ])
  expect(await limits.spent('a')).toEqual(expect.any(Number))
})

test('a mark counts for its document, if it is signed', async () => {
  const stored = `5 ${key.sign('pith:revision:pins a', '5')}`
  const marks = createRevisionMarks(answering([stored, stored, '5 x', null]), key)
  const documents = ['a', 'b', 'a', 'a'].map((name) => ({ kind: 'pins', name }))
  expect(await marks.of(documents)).toEqual([5n, undefined, undefined, undefined])
})
