import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../base/test/temporary-folder.ts'
import type { Connection } from '../../../servers/src/connection/connection.ts'
import type { JsonObject } from '../../../servers/src/protocol/message.ts'
import { createFileCatalogStore } from '../../src/catalog/entries/file-catalog-store.ts'
import { listItems } from '../../src/catalog/entries/list-items.ts'
import { configOf, createClient, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const folder = temporaryFolder()

const run = () => text('called')
const long = (bytes: number): JsonObject => ({ description: 'd'.repeat(bytes) })

describe('a definition that is too long', () => {
  const server: FakeServer = {
    tools: [
      { name: 'echo', run },
      { name: 'all_of_it', definition: long(1_000_000), run },
    ],
  }

  test('is not kept, and whoever looks for it is told why', async () => {
    const store = createFileCatalogStore(folder)
    const { use, world, logs, aggregator } = openAggregator(
      { big: server },
      { servers: [configOf('big')], catalogStore: store },
    )
    const said = [
      await use('search_tools', { query: 'all of it' }),
      await use('get_module_schema', { module: 'big' }),
      await use('call', { module: 'big', tool_name: 'all_of_it', params: {} }),
    ]
    for (const one of said) expect(one).toMatch(/not read: .* 1,000,0\d\d bytes .* 262,144 /)
    expect(world.requests.some(({ message }) => message.method === 'tools/call')).toBe(false)
    expect(await use('call', { module: 'big', tool_name: 'echo', params: {} })).toBe('called')
    world.connections[0]?.events.onNotification({ method: 'notifications/tools/list_changed' })
    await expect.poll(() => lists(world.requests)).toBe(2)
    expect(logs.filter((line) => line.includes('not read: tools all_of_it'))).toHaveLength(1)
    const view = aggregator.gateway.viewFor({ session: {}, capabilities: {} })
    expect(view.absent.map(({ name }) => name)).toEqual(['all_of_it'])
    const [kept] = store.read()
    expect(JSON.stringify(kept).length).toBeLessThan(2_000)
    expect(kept?.unread).toHaveLength(1)
  })

  test('is not told of to whoever may not see it', async () => {
    const { aggregator } = openAggregator(
      { big: server },
      { servers: [configOf('big')], profiles: { few: { allow: ['big.echo'] } } },
    )
    const session = { ...createClient().session, access: { profile: 'few' } }
    await aggregator.gateway.discovery.readMissing(session, {})
    expect(aggregator.gateway.viewFor({ session, capabilities: {} }).absent).toEqual([])
  })

  test('that an earlier version kept is asked for again', () => {
    const store = createFileCatalogStore(join(folder, 'old'))
    const entry = {
      server: 'big',
      fingerprint: 'f',
      era: 'legacy' as const,
      capabilities: {},
      readAt: 1,
      tools: [{ name: 'x', ...long(1_000_000) }],
      prompts: [],
      resources: [],
      resourceTemplates: [],
      skills: [],
    }
    const others = { ...entry, server: 'other', tools: [{ name: 'x', ...long(200_000) }] }
    for (const each of [entry, others]) store.write(each)
    expect(store.read().map(({ server }) => server)).toEqual(['other'])
  })
})

test('a definition that is nested too deep is told of too', async () => {
  let deep: JsonObject = {}
  for (let level = 0; level < 20_000; level++) deep = { deep }
  const { use } = openAggregator(
    { big: { tools: [{ name: 'deepest', definition: deep, run }] } },
    { servers: [configOf('big')] },
  )
  expect(await use('search_tools', { query: 'deepest' })).toContain('nested deeper than 100 levels')
})

test('of a server with too many tools the rest is counted', async () => {
  const tools = Array.from({ length: 10_003 }, (_, index) => ({ name: `tool_${index}` }))
  const { use, logs } = openAggregator(
    { many: { tools, resources: [{ uri: 'x://1', name: 'x' }] } },
    { servers: [configOf('many')] },
  )
  const said = await use('get_module_schema', { module: 'many' })
  expect(said.slice(0, 800)).toContain(
    '3_more_tools: not read: at most 10,000 definitions of one server',
  )
  expect(logs.filter((line) => line.includes('3 more of tools, 1 more of resources'))).toHaveLength(
    1,
  )
})

test('all lists of a server together are bounded', async () => {
  const items = (count: number): JsonObject[] =>
    Array.from({ length: count }, (_, index) => ({ name: `${index}`, ...long(200_000) }))
  const offers = await listItems(listing({ tools: items(30), prompts: items(30) }), () => {})
  expect(offers.tools).toHaveLength(30)
  expect(JSON.stringify(offers).length).toBeLessThan(8.5 * 1024 * 1024)
  expect(offers.beyond).toEqual({ prompts: 30 - offers.prompts.length })
})

test.each([
  ['of tools', { name: 'x', ...long(50_000) }],
  ['of tools that are too long', { name: 'x', ...long(3_000_000) }],
])('pages %s without end are read for a while', async (_what, tool) => {
  let pages = 0
  const connection = listing({}, () => ({ tools: [tool, tool], nextCursor: String(pages++) }))
  const offers = await listItems(connection, () => {})
  expect(pages).toBeLessThan(100)
  expect(offers.beyond?.tools).toBeGreaterThan(0)
})

test('what a server says of itself at length is not kept', async () => {
  const { aggregator, logs, world } = openAggregator(
    { wordy: { tools: [{ name: 'x' }] } },
    {
      servers: [configOf('wordy')],
      connect: async (options) => {
        const connection = await world.connect(options)
        return { ...connection, instructions: 'i'.repeat(1_000_000), serverInfo: long(1_000_000) }
      },
    },
  )
  await aggregator.gateway.discovery.readMissing(createClient().session, {})
  const entry = aggregator.gateway.catalog.entryOf('wordy')
  expect(entry?.tools).toHaveLength(1)
  expect(JSON.stringify(entry).length).toBeLessThan(2_000)
  expect(logs.join('\n')).toContain('instructions')
})

const lists = (requests: readonly { message: { method: string } }[]): number =>
  requests.filter(({ message }) => message.method === 'tools/list').length

/** A connection that has nothing but lists. */
function listing(
  lists: Partial<Record<string, JsonObject[]>>,
  tools = (): JsonObject => ({ tools: lists['tools'] ?? [] }),
): Connection {
  const answers: Record<string, () => JsonObject> = {
    'tools/list': tools,
    'prompts/list': () => ({ prompts: lists['prompts'] ?? [] }),
  }
  return {
    capabilities: { tools: {}, prompts: {} },
    request: async ({ method }: { method: string }) => answers[method]?.() ?? {},
  } as unknown as Connection
}
