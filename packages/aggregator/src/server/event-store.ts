import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'

const maxCharacters = 1024 * 1024
/** A short event counts as this many characters: at most 1,000 events are stored. */
const minCharacters = Math.floor(maxCharacters / 1_000)

interface StoredEvent {
  id: number
  stream: string
  message: JSONRPCMessage
}

/**
 * Stores what was sent to one session, so that a client can resume a broken stream. The oldest
 * events are dropped.
 */
export function createEventStore(): EventStore {
  const events = new LRUCache<number, StoredEvent>({ maxSize: maxCharacters })
  let last = 0
  return {
    async storeEvent(stream, message) {
      const { length } = JSON.stringify(message)
      // A longer event is stored too, until the next one.
      const size = Math.min(Math.max(length, minCharacters), maxCharacters)
      const id = ++last
      events.set(id, { id, stream, message }, { size })
      return String(id)
    },
    getStreamIdForEventId: async (id) => events.peek(Number(id))?.stream,
    async replayEventsAfter(id, { send }) {
      const stream = events.peek(Number(id))?.stream
      if (stream === undefined) throw new Error(`There is no event ${id}. Start a new session.`)
      for (const event of [...events.values()].toReversed())
        if (event && event.id > Number(id) && event.stream === stream)
          await send(String(event.id), event.message)
      return stream
    },
  }
}
