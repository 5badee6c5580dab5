import { expect, test } from 'vitest'
import { configOf, createClient, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const fake: FakeServer = {
  capabilities: { tools: {}, resources: { subscribe: true } },
  resources: [{ uri: 'x://1', name: 'one' }],
  tools: [{ name: 'x', run: () => text('done') }],
}
const open = () => openAggregator({ a: fake, b: fake }, { servers: [configOf('a'), configOf('b')] })

test('clients are told that lists may be others', () => {
  const { aggregator } = open()
  const { session, told } = createClient()
  aggregator.gateway.clients.join(session)
  aggregator.replace({ servers: [configOf('a')] })
  expect(told.map(({ method }) => method)).toEqual([
    'notifications/tools/list_changed',
    'notifications/prompts/list_changed',
    'notifications/resources/list_changed',
  ])
})

test('what is followed goes on being followed on the new instance', async () => {
  const { aggregator, world } = open()
  const { session, told, context } = createClient()
  const { gateway } = aggregator
  const server = gateway.fleet.servers[0]
  if (!server) throw new Error('no server')
  gateway.clients.join(session)
  await gateway.discovery.readMissing(session, {})
  const before = gateway.instanceOf(server, session, context().capabilities)
  await gateway.clients.follow(before, session, 'x://1', 'a+x://1')
  aggregator.replace({ servers: [configOf('a', { command: 'newer' } as never), configOf('b')] })
  await expect.poll(() => world.starts['a']).toBe(2)
  const follows = () => world.requests.filter(({ message }) => message.method === 'follow')
  await expect.poll(() => follows().length).toBeGreaterThan(1)
  expect(follows().at(-1)?.message.params).toEqual({ uris: ['x://1'] })
  told.length = 0
  const updated = { method: 'notifications/resources/updated', params: { uri: 'x://1' } }
  world.connections.at(-1)?.events.onNotification(updated)
  // By the URI that the client knows.
  expect(told).toEqual([{ ...updated, params: { uri: 'a+x://1' } }])
})

test('what is denied since then is not followed on the new instance', async () => {
  const { aggregator, world, use } = open()
  const { session, context } = createClient()
  const { gateway } = aggregator
  const [server] = gateway.fleet.servers
  if (server === undefined) throw new Error('no server')
  gateway.clients.join(session)
  await gateway.discovery.readMissing(session, {})
  const before = gateway.instanceOf(server, session, context().capabilities)
  await gateway.clients.follow(before, session, 'x://1', 'a+x://1')
  const follows = () => world.requests.filter(({ message }) => message.method === 'follow').length
  const count = follows()
  aggregator.replace({
    servers: [configOf('a', { command: 'newer' } as never), configOf('b')],
    permissions: { deny: [{ resources: ['x://*'] }] },
  })
  await use('call', { module: 'a', tool_name: 'x', params: {} })
  expect(world.starts['a']).toBe(2)
  expect(follows()).toBe(count)
})

test('what only says what is shown starts nothing anew', async () => {
  const { aggregator, world, use } = open()
  const call = { module: 'a', tool_name: 'x', params: {} }
  await use('call', call)
  const said = aggregator.replace({
    servers: [configOf('a', { tags: ['t'], rules: { deny: ['y'] }, description: 'new' })],
  })
  expect(said).toEqual({ added: [], removed: ['b'], changed: [] })
  await use('call', call)
  expect(world.starts['a']).toBe(1)
  aggregator.replace({ servers: [configOf('a', { timeoutMs: 1 })] })
  await use('call', call)
  expect(world.starts['a']).toBe(2)
})
