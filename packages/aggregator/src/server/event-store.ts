import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'

const mostCharacters = 1024 * 1024
const mostEvents = 1_000

interface KeptEvent {
  id: number
  stream: string
  message: JSONRPCMessage
  length: number
}

/**
 * What one session was sent, so that a client whose stream broke gets the rest when it comes again.
 * The oldest make room.
 */
export function createEventStore(): EventStore {
  let events: (KeptEvent | undefined)[] = []
  /** Those before it are dropped; they are taken out many at a time. */
  let first = 0
  let characters = 0
  let last = 0
  const kept = (): KeptEvent[] => events.slice(first) as KeptEvent[]
  return {
    async storeEvent(stream, message) {
      const { length } = JSON.stringify(message)
      events.push({ id: ++last, stream, message, length })
      characters += length
      while (
        first < events.length - 1 &&
        (characters > mostCharacters || events.length - first > mostEvents)
      ) {
        characters -= events[first]?.length ?? 0
        events[first++] = undefined
      }
      if (first > mostEvents) {
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
      if (stream === undefined) throw new Error(`There is no event ${id}; begin a new session.`)
      for (const event of kept())
        if (event.id > Number(id) && event.stream === stream)
          await send(String(event.id), event.message)
      return stream
    },
  }
}
