import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Connection } from '../../../servers/src/connection/connection.ts'
import { createBackoff } from '../../src/catalog/backoff.ts'
import type { CatalogEntry } from '../../src/catalog/entries/catalog-entry.ts'
import type { CatalogStore } from '../../src/catalog/entries/catalog-store.ts'
import { createRefreshQueue } from '../../src/catalog/refresh-queue.ts'
import type { Instance } from '../../src/upstream/instance.ts'
import { configOf, createClient, type FakeServer } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const changed = { method: 'notifications/tools/list_changed' }

async function openChanging() {
  const server: FakeServer = { tools: [{ name: 'first' }, { name: 'other' }] }
  const written: CatalogEntry[] = []
  const catalogStore: CatalogStore = {
    read: () => [],
    write: (entry) => void written.push(entry),
  }
  const opened = openAggregator({ a: server }, { servers: [configOf('a')], catalogStore })
  const { gateway } = opened.aggregator
  await gateway.discovery.readMissing(createClient().session, {})
  const { world } = opened
  return {
    written,
    server,
    gateway,
    entry: () => gateway.catalog.entryOf('a'),
    reads: () => world.requests.filter(({ message }) => message.method === 'tools/list').length,
    tell: () => world.connections[0]?.events.onNotification(changed),
  }
}

describe('a server that tells of a change', () => {
  test('and says the same is as it was: nothing is made of it, or written', async () => {
    const { written, gateway, entry, reads, tell } = await openChanging()
    const before = entry()
    const { version } = gateway.catalog
    tell()
    await expect.poll(reads).toBe(2)
    await sleep(20)
    expect(entry()).toBe(before)
    expect(gateway.catalog.version).toBe(version)
    expect(written).toHaveLength(1)
  })

  test('keeps what did not change, by identity', async () => {
    const { server, entry, tell } = await openChanging()
    const before = entry()
    server.tools = [{ name: 'new' }, { name: 'other' }]
    tell()
    await expect.poll(() => entry()?.tools[0]?.['name']).toBe('new')
    expect(entry()?.tools[1]).toBe(before?.tools[1])
    expect(entry()?.prompts).toBe(before?.prompts)
  })

  test('again and again is read ever more rarely, and its last change is not lost', async () => {
    const { server, entry, reads, tell } = await openChanging()
    // Pauses of 100, 200, 400 … ms: of 240 changes in 1.2 s or more, few are read.
    for (let change = 0; change < 240; change++) {
      server.tools = [{ name: `tool_${change}` }]
      tell()
      await sleep(5)
    }
    expect(reads()).toBeGreaterThan(2)
    expect(reads()).toBeLessThan(24)
    server.tools = [{ name: 'last' }]
    tell()
    await expect.poll(() => entry()?.tools[0]?.['name']).toBe('last')
  })
})

describe('pace', () => {
  test('grows while someone asks, and is forgotten when nobody did for a while', async () => {
    const pace = createBackoff({ firstPauseMs: 100, maxPauseMs: 2_000, quietMs: 500 })
    const waitOfTurn = async (): Promise<number> => {
      pace.requested()
      const asked = performance.now()
      return pace.run(async () => performance.now() - asked)
    }
    const waits: number[] = []
    for (let count = 0; count < 4; count++) waits.push(await waitOfTurn())
    const [first, ...later] = waits as [number, number, number, number]
    const last = later.at(-1) as number
    expect(last).toBeGreaterThan(350)
    expect(first).toBeLessThan(last)
    await sleep(1_500)
    expect(await waitOfTurn()).toBeLessThan(last)
  })
})

test('a new conversation is read at once, however often the old one told of changes', async () => {
  const read: unknown[] = []
  const readings = createRefreshQueue(async (_, connection) => void read.push(connection))
  const instance = { server: configOf('a') } as Instance
  const [old, next] = [{}, {}] as [Connection, Connection]
  for (let change = 0; change < 5; change++) {
    const done = readings.refresh(instance, old)
    if (change < 4) await done
  }
  expect(read).toEqual([old, old, old, old])
  await readings.read(instance, next)
  expect(read[4]).toBe(next)
})
