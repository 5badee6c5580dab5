import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { abortSignalOf } from '../../../servers/src/protocol/cancellation.ts'
import type { JsonObject } from '../../../servers/src/protocol/message.ts'
import { relayRequest } from '../../src/call/stages/relay-request.ts'
import { createMemoryCatalogStore } from '../../src/catalog/entries/catalog-store.ts'
import type { Gateway } from '../../src/catalog/gateway.ts'
import {
  configOf,
  createClient,
  createTestGateway,
  createWorld,
  type FakeServer,
  text,
} from '../fake-servers.ts'

const anyone = { session: {}, capabilities: {} }

const open: Gateway[] = []
afterEach(() => Promise.all(open.splice(0).map((gateway) => gateway.fleet.close())))

function gatewayOf(servers: Record<string, FakeServer>, store = createMemoryCatalogStore()) {
  const world = createWorld(servers)
  const names = Object.keys(servers)
  const gateway = createTestGateway({
    // Longer than a test may take: one that waits for a start that hangs fails.
    servers: names.map((name) => configOf(name, { startTimeoutMs: 600_000 })),
    connect: world.connect,
    catalogStore: store,
  })
  open.push(gateway)
  return { world, gateway, store }
}

const server = (name: string): FakeServer => ({ tools: [{ name, run: () => text(name) }] })
const server1 = (gateway: Gateway, index = 0) => {
  const found = gateway.fleet.servers[index]
  if (!found) throw new Error('no server')
  return found
}

describe('the catalog', () => {
  test('is filled by asking every server once, and survives the process', async () => {
    const first = gatewayOf({ a: server('x'), b: server('y') })
    const { session } = createClient()
    await first.gateway.discovery.readMissing(session, {})
    expect(first.gateway.viewFor(anyone).tools.map(({ exposed }) => exposed)).toEqual([
      'a__x',
      'b__y',
    ])

    const second = gatewayOf({ a: server('x'), b: server('y') }, first.store)
    await second.gateway.discovery.readMissing(session, {})
    const view = second.gateway.viewFor(anyone)
    expect(view.tools).toHaveLength(2)
    expect(second.world.starts).toEqual({})
    const entry = view.entryOf('a')
    expect(entry && second.gateway.catalog.isCurrent(entry)).toBe(false)
  })

  test('of another configuration is not believed', async () => {
    const first = gatewayOf({ a: server('x') })
    await first.gateway.discovery.readMissing(createClient().session, {})
    const gateway = createTestGateway({
      servers: [configOf('a', { command: 'another' } as never)],
      connect: first.world.connect,
      catalogStore: first.store,
    })
    expect(gateway.viewFor(anyone).unknown).toHaveLength(1)
  })

  test('follows changes and tells clients, once for each list', async () => {
    const tools = [{ name: 'x' }]
    const { gateway, world } = gatewayOf({ a: { tools } })
    const client = createClient()
    gateway.clients.join(client.session)
    await gateway.discovery.readMissing(client.session, {})
    client.told.length = 0
    tools.push({ name: 'y' })
    const [connection] = world.connections
    for (let time = 0; time < 20; time++)
      connection?.events.onNotification({ method: 'notifications/tools/list_changed' })
    await expect.poll(() => gateway.viewFor(anyone).tools).toHaveLength(2)
    expect(client.told.map(({ method }) => method)).toEqual(['notifications/tools/list_changed'])
    expect(
      world.requests.filter(({ message }) => message.method === 'tools/list').length,
    ).toBeLessThan(5)
  })

  test('needs one instance of a modern server for all', async () => {
    const { gateway, world } = gatewayOf({ a: { ...server('x'), era: 'modern' } })
    await gateway.discovery.readMissing(createClient().session, {})
    for (const capabilities of [{ sampling: {} }, { roots: {} }]) {
      const { context, session } = createClient({ era: 'modern', capabilities })
      const instance = gateway.instanceOf(server1(gateway), session, capabilities)
      await relayRequest(instance, { method: 'tools/call', params: { name: 'x' } }, context())
    }
    const sent = world.requests.filter(({ message }) => message.method === 'tools/call')
    expect(
      sent.map(
        ({ message }) =>
          ((message.params?.['_meta'] ?? {}) as JsonObject)[
            'io.modelcontextprotocol/clientCapabilities'
          ],
      ),
    ).toMatchObject([{ sampling: {} }, { roots: {} }])
  })
})

test('a server that hangs, one that is missing and one that fails do not hold up the others', async () => {
  const { gateway } = gatewayOf({
    hangs: { onStart: () => new Promise(() => {}) },
    fails: {
      onStart() {
        throw new Error('the process exited with code 1')
      },
    },
    well: server('x'),
  })
  const { session } = createClient()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const discovered = gateway.discovery.readMissing(session, {})
  await vi.advanceTimersByTimeAsync(5_500)
  await discovered
  expect(gateway.viewFor(anyone).tools.map(({ exposed }) => exposed)).toEqual(['well__x'])
})

test('a modern server is started once, whoever comes first', async () => {
  const { gateway, world } = gatewayOf({ a: { ...server('x'), era: 'modern' } })
  const one = createClient({ era: 'modern', capabilities: { roots: {} } })
  const other = createClient({ era: 'modern', capabilities: { sampling: {} } })
  for (const { session, context } of [one, other, one]) {
    const instance = gateway.instanceOf(server1(gateway), session, session.capabilities)
    await relayRequest(instance, { method: 'tools/call', params: { name: 'x' } }, context())
  }
  expect(world.starts['a']).toBe(1)
})

test('a server that wants to know roots while it starts is told', async () => {
  const asked = vi.fn()
  const { gateway } = gatewayOf({
    a: {
      ...server('x'),
      async onStart({ onAsk, signal }) {
        asked(await onAsk({ method: 'roots/list' }, signal))
      },
    },
  })
  const client = createClient({ answer: () => ({ roots: [] }) })
  await gateway.discovery.readMissing(client.session, {})
  expect(asked).toHaveBeenCalledWith({ roots: [] })
})

describe('a question of a server', () => {
  const asking: FakeServer = {
    tools: [
      {
        name: 'ask',
        run: async (_args, { connection, signal }) => {
          const message = { method: 'elicitation/create', params: { message: 'who?' } }
          const answer = await connection.events.onAsk(
            message,
            abortSignalOf(signal ?? AbortSignal.timeout(999)),
          )
          return { content: [], structuredContent: answer }
        },
      },
      { name: 'slow', run: () => new Promise((resolve) => setTimeout(resolve, 60, text('slow'))) },
    ],
  }
  const call = (name: string) => ({ method: 'tools/call', params: { name } })
  const capabilities = { elicitation: {} }

  test('goes to the client whose call it is', async () => {
    const { gateway } = gatewayOf({ a: asking })
    const client = createClient({ capabilities, answer: () => ({ action: 'accept' }) })
    const instance = gateway.instanceOf(server1(gateway), client.session, capabilities)
    const result = await relayRequest(instance, call('ask'), client.context())
    expect(result['structuredContent']).toEqual({ action: 'accept' })
  })

  test('with maxConcurrency is refused when it may be for another client, and says what to do', async () => {
    const gateway = createTestGateway({
      servers: [configOf('a', { limits: { maxConcurrency: 2 } })],
      connect: createWorld({ a: asking }).connect,
    })
    open.push(gateway)
    const clients = [
      createClient({ capabilities, answer: () => ({ mine: 1 }) }),
      createClient({ capabilities, answer: () => ({ mine: 2 }) }),
    ]
    const [one, other] = clients
    if (!one || !other) throw new Error('no clients')
    const instance = gateway.instanceOf(server1(gateway), one.session, capabilities)
    const slow = relayRequest(instance, call('slow'), other.context())
    await expect(relayRequest(instance, call('ask'), one.context())).rejects.toThrow(
      /several clients are calling/,
    )
    await slow
  })

  test('with isolated instances always reaches its client', async () => {
    const world = createWorld({ a: asking })
    const gateway = createTestGateway({
      servers: [configOf('a', { per: 'session' })],
      connect: world.connect,
    })
    open.push(gateway)
    const answers = await Promise.all(
      [1, 2, 3].map(async (mine) => {
        const client = createClient({ capabilities, answer: () => ({ mine }) })
        const instance = gateway.instanceOf(server1(gateway), client.session, capabilities)
        const result = await relayRequest(instance, call('ask'), client.context())
        return (result['structuredContent'] as JsonObject)['mine']
      }),
    )
    expect(answers).toEqual([1, 2, 3])
    expect(world.starts['a']).toBe(3)
  })
})

describe('the time of a call', () => {
  const gatewayWithin = (
    timeoutMs: number,
    run: (args: JsonObject, call: never) => Promise<JsonObject>,
  ) => {
    const world = createWorld({ a: { tools: [{ name: 'x', run: run as never }] } })
    const gateway = createTestGateway({
      servers: [configOf('a', { timeoutMs })],
      connect: world.connect,
    })
    open.push(gateway)
    return gateway
  }
  const call = { method: 'tools/call', params: { name: 'x' } }

  test('is limited', async () => {
    const gateway = gatewayWithin(30, () => new Promise(() => {}))
    const client = createClient()
    const instance = gateway.instanceOf(server1(gateway), client.session, {})
    await expect(relayRequest(instance, call, client.context())).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('did not answer tools/call within 0.03 s'),
    })
  })

  test('restarts with each progress notification', async () => {
    // Five steps take longer than the limit; each leaves 500 ms to a busy machine.
    const gateway = gatewayWithin(
      600,
      async (_args, { progress }: { progress: (p: JsonObject) => void }) => {
        for (let step = 0; step < 5; step++) {
          await new Promise((resolve) => setTimeout(resolve, 130))
          progress({ progress: step })
        }
        return text('done')
      },
    )
    const client = createClient()
    const instance = gateway.instanceOf(server1(gateway), client.session, {})
    const context = client.context()
    const relayed = {
      ...context,
      passthrough: { ...context.passthrough, meta: { progressToken: 'mine' } },
    }
    expect(await relayRequest(instance, call, relayed)).toEqual(text('done'))
    expect(client.told[0]).toEqual({
      method: 'notifications/progress',
      params: { progress: 0, progressToken: 'mine' },
    })
  })
})
