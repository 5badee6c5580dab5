import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'

const maxCharacters = 1024 * 1024
const maxEvents = 1_000

interface StoredEvent {
  id: number
  stream: string
  message: JSONRPCMessage
  length: number
}

/**
 * Stores what was sent to one session, so that a client can resume a broken stream. The oldest
 * events are dropped.
 */
export function createEventStore(): EventStore {
  let events: (StoredEvent | undefined)[] = []
  /** Events before it are dropped; they are removed in batches. */
  let first = 0
  let characters = 0
  let last = 0
  const kept = (): StoredEvent[] => events.slice(first) as StoredEvent[]
  return {
    async storeEvent(stream, message) {
      const { length } = JSON.stringify(message)
      events.push({ id: ++last, stream, message, length })
      characters += length
      while (
        first < events.length - 1 &&
        (characters > maxCharacters || events.length - first > maxEvents)
      ) {
        characters -= events[first]?.length ?? 0
        events[first++] = undefined
      }
      if (first > maxEvents) {
        events = events.slice(first)
        first = 0
      }
      return String(last)
    },
    async getStreamIdForEventId(id) {
      return kept().find((event) => event.id === Number(id))?.stream
    },
    async replayEventsAfter(id, { send }) {
      const stream = kept().find((event) => event.id === Number(id))?.stream
      if (stream === undefined) throw new Error(`There is no event ${id}. Start a new session.`)
      for (const event of kept())
        if (event.id > Number(id) && event.stream === stream)
          await send(String(event.id), event.message)
      return stream
    },
  }
}
