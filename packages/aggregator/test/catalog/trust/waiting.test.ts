import { expect, test } from 'vitest'
import { qualifiedName } from '../../../../servers/src/protocol/server-account.ts'
import { createMemoryPinStore } from '../../../src/catalog/trust/pin.ts'
import { waitingIn } from '../../../src/catalog/trust/unreviewed.ts'
import { configOf, text } from '../../fake-servers.ts'
import { openAggregator } from '../../open-aggregator.ts'

const tool = (name: string) => ({
  name,
  definition: { name, inputSchema: { type: 'object' } },
  run: () => text('done'),
})

test('what waits is counted once, whatever list the server has for its client', async () => {
  const tools = ['read', 'write', 'drop', 'roots_only', 'roots_too'].map(tool)
  const server = { tools }
  const store = createMemoryPinStore()
  const { aggregator, use, lines } = openAggregator(
    { a: server },
    {
      servers: [configOf('a', { rules: { deny: ['drop'] } })],
      pinStore: store,
      trust: { newTools: 'hold' },
    },
  )
  const { gateway } = aggregator
  await use('get_module_schema', { module: 'a' })
  // For a client without roots, the server lists less.
  server.tools = tools.slice(0, 3)
  gateway.fleet.control.restart('a')
  await aggregator.start(gateway.fleet.servers[0] as never)
  const [unit] = gateway.fleet.units.values()
  const entry = unit && gateway.catalog.entryOf(qualifiedName(unit))
  if (unit === undefined) throw new Error('no unit')
  const names = ['read', 'write', 'roots_only', 'roots_too']
  expect(gateway.trust.waiting(unit, entry).toSorted()).toEqual(names.toSorted())
  const [pinned] = store.all()
  expect(pinned && waitingIn(pinned, unit)).toHaveLength(4)
  const events = lines.filter(({ kind, outcome }) => kind === 'event' && outcome === 'tool_held')
  expect(new Set(events.map((line) => line.tool))).toEqual(new Set(names))
})
