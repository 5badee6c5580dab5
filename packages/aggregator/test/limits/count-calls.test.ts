import { describe, expect, onTestFinished, test } from 'vitest'
import { countInMemory } from '../../src/limits/count-calls.ts'
import { countInRedis } from '../../src/limits/count-in-redis.ts'

const rate = { calls: 3, seconds: 60 }
// What every counter does. That of Redis is tried where there is one: REDIS_URL=redis://…
const { REDIS_URL } = process.env

describe.each([
  ['in memory', async () => countInMemory],
  ...(REDIS_URL
    ? [['in Redis', async () => (await countInRedis(REDIS_URL, () => {})).count] as const]
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
  const { count, close } = await countInRedis('redis://127.0.0.1:9', (line) => void logs.push(line))
  onTestFinished(() => close())
  const counter = count(rate)
  for (let call = 0; call < 3; call++) expect(await counter('a')).toBeUndefined()
  expect(await counter('a')).toBeGreaterThan(0)
  expect(logs).toHaveLength(1)
  expect(logs[0]).toMatch(/^Redis cannot be used \(.*\); calls are counted in this process\.$/)
})

test.runIf(REDIS_URL)('processes that use one Redis count together', async () => {
  const [one, other] = await Promise.all([
    countInRedis(REDIS_URL ?? '', () => {}),
    countInRedis(REDIS_URL ?? '', () => {}),
  ])
  const key = crypto.randomUUID()
  const waits = []
  for (let call = 0; call < 3; call++)
    waits.push(await one.count(rate)(key), await other.count(rate)(key))
  expect(waits.filter((wait) => wait === undefined)).toHaveLength(3)
  await Promise.all([one.close(), other.close()])
})
