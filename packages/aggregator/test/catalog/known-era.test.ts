import { afterEach, expect, test, vi } from 'vitest'
import { createMemoryCatalogStore } from '../../src/catalog/entries/catalog-store.ts'
import { configOf, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

afterEach(() => void vi.useRealTimers())

const day = 24 * 3_600_000
const call = { module: 's', tool_name: 'x', params: {} }

/** The era that each start was given; the server is probed if it is not. */
function startsOf(version: () => string, store = createMemoryCatalogStore()) {
  const given: unknown[] = []
  const fake: FakeServer = {
    tools: [{ name: 'x', run: () => text('called') }],
    onStart: ({ era }) => void given.push(era),
  }
  const { use, world, aggregator } = openAggregator(
    { s: fake },
    {
      servers: [configOf('s')],
      catalogStore: store,
      connect: async (options) =>
        Object.assign(await world.connect(options), {
          isProbed: options.era === undefined,
          serverInfo: { name: 's', version: version() },
        }),
    },
  )
  return {
    given,
    store,
    close: () => aggregator.close(),
    async restart() {
      world.connections.at(-1)?.crash()
      await expect.poll(() => use('call', call)).toBe('called')
      await expect.poll(() => store.read()[0]?.serverInfo?.['version']).toBe(version())
    },
  }
}

test('a server of 2025 is probed once a day, also by the next process', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const first = startsOf(() => '1')
  await first.restart()
  vi.setSystemTime(Date.now() + 1000)
  await first.restart()
  await first.close()
  const second = startsOf(() => '1', first.store)
  await second.restart()
  vi.setSystemTime(Date.now() + day)
  await second.restart()
  vi.setSystemTime(Date.now() - day)
  await second.restart()
  vi.setSystemTime(Date.now() + 1000)
  await second.restart()
  expect(first.given).toEqual([undefined, 'legacy'])
  expect(second.given).toEqual(['legacy', undefined, 'legacy', 'legacy'])
})

test('a server of 2025 in another version is probed at its next start', async () => {
  let version = '1'
  const { given, restart } = startsOf(() => version)
  await restart()
  version = '2'
  await restart()
  await restart()
  await restart()
  expect(given).toEqual([undefined, 'legacy', undefined, 'legacy'])
})
