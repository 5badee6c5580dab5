import { afterEach, expect, test, vi } from 'vitest'
import { configOf } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

afterEach(() => void vi.useRealTimers())

test('lists are read again after the time that their server promises, if it promises one', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const servers = {
    promises: { era: 'modern' as const, ttlMs: 90_000, tools: [{ name: 'one' }] },
    hurries: { era: 'modern' as const, ttlMs: 1, tools: [{ name: 'two' }] },
    silent: { era: 'modern' as const, ttlMs: 0, tools: [{ name: 'three' }] },
  }
  const { aggregator, world } = openAggregator(servers, {
    servers: Object.keys(servers).map((name) => configOf(name)),
    mode: 'full',
  })
  const listAfter = async (ms: number): Promise<unknown> => {
    vi.setSystemTime(Date.now() + ms)
    return aggregator.request({ method: 'tools/list' })
  }
  const counts = () =>
    Object.keys(servers).map(
      (name) =>
        world.requests.filter(
          ({ server, message }) => server === name && message.method === 'tools/list',
        ).length,
    )
  await listAfter(0)
  expect(counts()).toEqual([1, 1, 1])
  await listAfter(50_000)
  expect(counts()).toEqual([1, 1, 1])
  servers.promises.tools = [{ name: 'other' }]
  await listAfter(50_000)
  await expect.poll(counts).toEqual([2, 2, 1])
  expect(JSON.stringify(await listAfter(0))).toContain('promises__other')
  await listAfter(10_000)
  expect(counts()).toEqual([2, 2, 1])
  await aggregator.close()
})
