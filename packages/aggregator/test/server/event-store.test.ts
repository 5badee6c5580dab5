import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { createEventStore } from '../../src/server/event-store.ts'

const messageOf = (text: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { text },
})

async function replayed(store: ReturnType<typeof createEventStore>, after: string) {
  const texts: unknown[] = []
  await store.replayEventsAfter(after, {
    send: async (_id, message) => void texts.push((message as { params: object }).params),
  })
  return texts
}

test('who comes again gets what was sent since on its stream', async () => {
  const store = createEventStore()
  const first = await store.storeEvent('a', messageOf('1'))
  await store.storeEvent('b', messageOf('2'))
  await store.storeEvent('a', messageOf('3'))
  expect(await replayed(store, first)).toEqual([{ text: '3' }])
})

test('the last thousand events are kept, however many there were', async () => {
  const store = createEventStore()
  const ids: string[] = []
  for (let index = 0; index < 5_000; index++)
    ids.push(await store.storeEvent('a', messageOf(String(index))))
  expect(await store.getStreamIdForEventId?.(ids[3_999] ?? '')).toBeUndefined()
  expect(await store.getStreamIdForEventId?.(ids[4_000] ?? '')).toBe('a')
  expect(await replayed(store, ids[4_997] ?? '')).toEqual([{ text: '4998' }, { text: '4999' }])
})

test('long events make room sooner', async () => {
  const store = createEventStore()
  const ids: string[] = []
  for (let index = 0; index < 5; index++)
    ids.push(await store.storeEvent('a', messageOf('x'.repeat(400_000))))
  const kept = await Promise.all(ids.map((id) => store.getStreamIdForEventId?.(id)))
  expect(kept).toEqual([undefined, undefined, undefined, 'a', 'a'])
})

test('an event longer than all that is kept replaces the others', async () => {
  const store = createEventStore()
  const before = await store.storeEvent('a', messageOf('short'))
  const long = await store.storeEvent('a', messageOf('x'.repeat(2_000_000)))
  const next = await store.storeEvent('a', messageOf('next'))
  const kept = [before, long, next].map((id) => store.getStreamIdForEventId?.(id))
  expect(await Promise.all(kept)).toEqual([undefined, undefined, 'a'])
})
