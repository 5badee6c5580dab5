import { afterEach, expect, test, vi } from 'vitest'
import type { Aggregator } from '../../aggregator/src/server/aggregator-options.ts'
import { answerRequest } from '../../aggregator/src/server/methods/answer-request.ts'
import {
  configOf,
  createClient,
  type FakeServer,
  text,
  textOf,
} from '../../aggregator/test/fake-servers.ts'
import { openAggregator } from '../../aggregator/test/open-aggregator.ts'
import type { Documents } from '../src/documents.ts'
import { createSharedCatalogStore } from '../src/stores/shared-catalog-store.ts'

const open: Aggregator[] = []
afterEach(() => Promise.all(open.splice(0).map((aggregator) => aggregator.close())))

/** What all replicas have; all of them hear of every change. */
function createMemoryDocuments(): Documents {
  const values = new Map<string, unknown>()
  const listeners: ((name: string) => void)[] = []
  let version = 0
  return {
    get: <T>(_kind: string, name: string) => values.get(name) as T | undefined,
    all: <T>() => new Map(values as Map<string, T>),
    async change<T>(_kind: string, name: string, edit: (current: T | undefined) => unknown) {
      values.set(name, await edit(values.get(name) as T | undefined))
      version++
      for (const listener of listeners) listener(name)
      return values.get(name) as T
    },
    onChange: (_kind, listener) => void listeners.push(listener),
    version: () => version,
  }
}

const names = ['added', 'first', 'other']

/** A replica whose process of the server has these tools at its start. */
function openReplica(documents: Documents, tools: string[]) {
  const fake = (names: string[]) => names.map((name) => ({ name, run: () => text(name) }))
  const server: FakeServer = {
    onStart() {
      server.tools = fake(tools)
    },
  }
  const catalogStore = createSharedCatalogStore(documents, () => {})
  const options = { servers: [configOf('a')], mode: 'full' as const, prefix: false, catalogStore }
  const { aggregator, world } = openAggregator({ a: server }, options)
  open.push(aggregator)
  catalogStore.follow(aggregator.gateway.catalog.adopt)
  const { context } = createClient()
  const send = (method: string, params = {}) =>
    answerRequest({ method, params }, context(), aggregator.deps)
  const listed = () =>
    aggregator.gateway
      .viewFor(context())
      .tools.map(({ exposed }) => exposed)
      .sort()
  const callable = async () => {
    const results = names.map((name) => send('tools/call', { name }).then(textOf, () => ''))
    const texts = await Promise.all(results)
    return names.filter((name, at) => texts[at] === name)
  }
  return {
    send,
    listed,
    callable,
    async adds(name: string) {
      server.tools = [...(server.tools ?? []), ...fake([name])]
      world.connections.at(-1)?.events.onNotification({
        method: 'notifications/tools/list_changed',
      })
      await expect.poll(() => listed()).toContain(name)
    },
    async restarts(latest: string[]) {
      tools = latest
      world.connections.at(-1)?.crash()
      await expect
        .poll(() => aggregator.gateway.fleet.status()[0]?.instances[0]?.state)
        .not.toBe('ready')
      await vi.waitFor(() => send('tools/call', { name: 'first' }), { timeout: 25_000 })
      await expect.poll(() => listed()).toEqual(latest)
    },
  }
}

test('what a replica lists its own process has, through restarts of either', async () => {
  const documents = createMemoryDocuments()
  const a = openReplica(documents, ['first'])
  const b = openReplica(documents, ['first'])
  const areEqual = async () => {
    for (const one of [a, b]) expect(await one.callable()).toEqual(one.listed())
  }
  for (const { send } of [a, b]) await send('tools/call', { name: 'first' })
  await b.adds('added')
  expect(a.listed()).toEqual(['first'])
  await areEqual()
  await a.restarts(['first', 'other'])
  expect(b.listed()).toEqual(['added', 'first'])
  await areEqual()
  await b.restarts(['first'])
  expect(a.listed()).toEqual(['first', 'other'])
  await areEqual()
})

test('a replica without a process lists what was stored last, whatever the clocks say', async () => {
  const documents = createMemoryDocuments()
  const idle = openReplica(documents, ['first'])
  const a = openReplica(documents, ['first'])
  const ahead = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 864e5)
  await a.send('tools/call', { name: 'first' })
  await expect.poll(() => idle.listed()).toEqual(['first'])
  ahead.mockRestore()
  await a.adds('added')
  await expect.poll(() => idle.listed()).toEqual(['added', 'first'])
})
