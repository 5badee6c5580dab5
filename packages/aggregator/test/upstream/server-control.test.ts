import { expect, test } from 'vitest'
import type { AggregatorOptions } from '../../src/server/aggregator-options.ts'
import { configOf, createClient, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const call = { module: 'a', tool_name: 'x', params: {} }

function open(
  run: () => Promise<ReturnType<typeof text>> | ReturnType<typeof text>,
  options: Partial<AggregatorOptions> = {},
) {
  const fake: FakeServer = {
    capabilities: { tools: {}, resources: { subscribe: true } },
    resources: [{ uri: 'x://1', name: 'one' }],
    tools: [{ name: 'x', run }],
  }
  const opened = openAggregator(
    { a: fake, b: fake },
    { servers: [configOf('a'), configOf('b')], ...options },
  )
  const [server] = opened.aggregator.gateway.fleet.servers
  if (!server) throw new Error('no server')
  return { ...opened, server, steering: opened.aggregator.gateway.fleet.control }
}

test('a server that is stopped is not used until it is started', async () => {
  const { use, steering, server, aggregator, world } = open(() => text('done'))
  expect(await use('call', call)).toBe('done')
  steering.stop('a')
  expect(await use('call', call)).toContain(
    'The server a was stopped. Other servers are not affected. Start a again.',
  )
  expect(await use('call', { ...call, module: 'b' })).toBe('done')
  expect(world.starts['a']).toBe(1)
  await aggregator.start(server)
  expect(world.starts['a']).toBe(2)
  expect(await use('call', call)).toBe('done')
})

test('a program names its own way to start a server', async () => {
  const remedies = { startServer: (server: string) => `Run "serve ${server}".` }
  const { use, steering } = open(() => text('done'), { remedies })
  steering.stop('a')
  expect(await use('call', call)).toBe(
    'The server a was stopped. Other servers are not affected. Run "serve a".',
  )
})

test('a call under way when its server is stopped gets its answer', async () => {
  let finish = (): void => {}
  const running = new Promise<void>((resolve) => {
    finish = resolve
  })
  let hasBegun = false
  const { use, steering } = open(async () => {
    hasBegun = true
    await running
    return text('late')
  })
  const answer = use('call', call)
  await expect.poll(() => hasBegun).toBe(true)
  steering.stop('a')
  finish()
  expect(await answer).toBe('late')
})

test('a renewed server is a fresh process for the next call', async () => {
  const { use, steering, world } = open(() => text('done'))
  await use('call', call)
  steering.restart('a')
  await use('call', call)
  expect(world.starts['a']).toBe(2)
})

test('what was followed of a stopped server is followed again when it is started', async () => {
  const { aggregator, steering, server, world } = open(() => text('done'))
  const { session, context } = createClient()
  const { gateway } = aggregator
  gateway.clients.join(session)
  await gateway.discovery.readMissing(session, {})
  const instance = gateway.instanceOf(server, session, context().capabilities)
  await gateway.clients.follow(instance, session, 'x://1', 'x://1')
  const follows = () => world.requests.filter(({ message }) => message.method === 'follow').length
  const before = follows()
  steering.stop('a')
  await aggregator.start(server)
  await expect.poll(follows).toBeGreaterThan(before)
})

test('a server that was stopped and taken out of the configuration is stopped no more', () => {
  const { aggregator, steering } = open(() => text('done'))
  steering.stop('a')
  aggregator.replace({ servers: [configOf('b')] })
  expect(steering.isStopped('a')).toBe(false)
})
