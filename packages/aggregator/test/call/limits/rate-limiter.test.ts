import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { inMemoryRateLimiter } from '../../../src/call/limits/rate-limiter.ts'
import { createRedisRateLimiter } from '../../../src/call/limits/redis-rate-limiter.ts'

const rate = { calls: 3, seconds: 60 }
// What every counter does. That of Redis is tried where there is one: REDIS_URL=redis://…
const { REDIS_URL } = process.env

describe.each([
  ['in memory', async () => inMemoryRateLimiter],
  ...(REDIS_URL
    ? [['in Redis', async () => (await createRedisRateLimiter(REDIS_URL, () => {})).count] as const]
    : []),
] as const)('counting %s', (_where, open) => {
  test('lets so many pass of each key, and then says how long to wait', async () => {
    const count = (await open())(rate)
    const key = crypto.randomUUID()
    for (let call = 0; call < 3; call++) expect(await count(key)).toBeUndefined()
    const wait = await count(key)
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60_000)
    expect(await count(crypto.randomUUID())).toBeUndefined()
  })

  test('counts calls that come at once', async () => {
    const count = (await open())(rate)
    const key = crypto.randomUUID()
    const waits = await Promise.all(Array.from({ length: 100 }, () => count(key)))
    expect(waits.filter((wait) => wait === undefined)).toHaveLength(3)
  })
})

test('without Redis each process counts by itself, which is said once', async () => {
  const logs: string[] = []
  const { count, close } = await createRedisRateLimiter(
    'redis://127.0.0.1:9',
    (line) => void logs.push(line),
  )
  onTestFinished(() => close())
  const counter = count(rate)
  for (let call = 0; call < 3; call++) expect(await counter('a')).toBeUndefined()
  expect(await counter('a')).toBeGreaterThan(0)
  expect(logs).toHaveLength(1)
  expect(logs[0]).toMatch(/^Redis cannot be used \(.*\); calls are counted in this process\.$/)
})

type Manner = 'works' | 'silent' | 'hangs' | 'read-only' | 'full'

/** As much of Redis as a counter asks for, with the manners it is given. */
async function startRedis(first: Manner) {
  const state = { manner: first }
  let count = 0
  const errors = {
    'read-only': "-READONLY You can't write against a read only replica.\r\n",
    full: "-OOM command not allowed when used memory > 'maxmemory'.\r\n",
  } as const
  let owed = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      // Each command is an array whose first part is its name.
      for (const [, name = ''] of data.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)) {
        const { manner } = state
        if (manner === 'silent') continue
        if (/^info$/i.test(name)) {
          const info = 'redis_version:7.0.0\r\nloading:0\r\n'
          socket.write(`$${info.length}\r\n${info}\r\n`)
        } else if (!/^eval/i.test(name)) socket.write('+OK\r\n')
        else if (manner === 'hangs') owed++
        else if (manner !== 'works') socket.write(errors[manner])
        // Who hung answers everything in the end, in order.
        else for (; owed >= 0; owed--) socket.write(`*2\r\n:${++count}\r\n:60000\r\n`)
        if (manner === 'works') owed = 0
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `redis://127.0.0.1:${port}`, state }
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const begun = performance.now()
  return { value: await work(), ms: performance.now() - begun }
}

test('a Redis that says nothing holds up neither the start nor a call', async () => {
  const { url } = await startRedis('silent')
  const logs: string[] = []
  const { value: counts, ms } = await timed(() =>
    createRedisRateLimiter(url, (line) => void logs.push(line)),
  )
  onTestFinished(() => counts.close())
  expect(ms).toBeLessThan(1_500)
  const counter = counts.count(rate)
  for (let call = 0; call < 3; call++) {
    const { value, ms: waited } = await timed(() => counter('a'))
    expect(value).toBeUndefined()
    expect(waited).toBeLessThan(1_000)
  }
  expect(await counter('a')).toBeGreaterThan(0)
  expect(counts.fallbacks).toBe(4)
  expect(logs[0]).toMatch(/^Redis cannot be used \(it did not answer within/)
})

test.each([
  ['hangs', /it did not answer within 300 ms/],
  ['read-only', /READONLY/],
  ['full', /OOM command not allowed/],
] as const)(
  'a Redis that %s is said, and calls are counted here until it is over',
  async (manner, said) => {
    const { url, state } = await startRedis('works')
    const logs: string[] = []
    const counts = await createRedisRateLimiter(url, (line) => void logs.push(line))
    onTestFinished(() => counts.close())
    const counter = counts.count(rate)
    expect(await counter('a')).toBeUndefined()
    expect(counts.fallbacks).toBe(0)
    state.manner = manner
    const { ms } = await timed(() => counter('a'))
    expect(ms).toBeLessThan(1_500)
    // It is left alone for a while: the next call waits for nothing.
    expect((await timed(() => counter('a'))).ms).toBeLessThan(150)
    expect(counts.fallbacks).toBe(2)
    expect(logs).toEqual([expect.stringMatching(said)])
    state.manner = 'works'
    await expect
      .poll(() => counter(crypto.randomUUID()).then(() => logs.at(-1)), {
        timeout: 20_000,
        interval: 300,
      })
      .toMatch(
        /^Redis can be used again; \d+ calls? w(?:as|ere) counted in this process in the meantime\.$/,
      )
  },
)

test.runIf(REDIS_URL)('processes that use one Redis count together', async () => {
  const [one, other] = await Promise.all([
    createRedisRateLimiter(REDIS_URL ?? '', () => {}),
    createRedisRateLimiter(REDIS_URL ?? '', () => {}),
  ])
  const key = crypto.randomUUID()
  const waits = []
  for (let call = 0; call < 3; call++)
    waits.push(await one.count(rate)(key), await other.count(rate)(key))
  expect(waits.filter((wait) => wait === undefined)).toHaveLength(3)
  await Promise.all([one.close(), other.close()])
})
