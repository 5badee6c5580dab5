import { expect, test } from 'vitest'
import { configOf, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

// Each account has a tool of its own.
const server: FakeServer = {
  tools: [
    { name: 'both', run: (_args, { connection }) => text(`${connection.events.server.account}`) },
    { name: 'more', run: (_args, { connection }) => text(`${connection.events.server.account}`) },
  ],
}
const units = ['a', 'b'].map((account) => configOf('s', { account }))

test('what only one account offers is called with that one, if it is named', async () => {
  const { use, world, aggregator } = openAggregator(
    { s: server },
    { servers: [configOf('s', { accounts: units })] },
  )
  const [first, second] = units
  if (!first || !second) throw new Error('no units')
  // The first was read while it had less.
  const all = server.tools
  server.tools = (all ?? []).slice(0, 1)
  await use('call', { module: 's', tool_name: 'both' })
  server.tools = all ?? []
  const session = { id: 'x', era: 'modern', capabilities: {}, notify() {} } as const
  await aggregator.gateway.discovery.readUnlessCurrent(second, session, {})
  expect(await use('call', { module: 's', tool_name: 'both' })).toBe('a')
  expect(await use('call', { module: 's', tool_name: 'both', account: 'b' })).toBe('b')
  expect(await use('call', { module: 's', tool_name: 'more' })).toContain('It is a tool of b')
  expect(await use('call', { module: 's', tool_name: 'more', account: 'b' })).toBe('b')
  expect(world.starts['s']).toBe(2)
})
