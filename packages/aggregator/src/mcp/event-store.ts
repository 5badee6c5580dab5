import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'

const mostCharacters = 1024 * 1024

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
  let events: KeptEvent[] = []
  let characters = 0
  let last = 0
  return {
    async storeEvent(stream, message) {
      const { length } = JSON.stringify(message)
      events.push({ id: ++last, stream, message, length })
      characters += length
      let dropped = 0
      while (characters > mostCharacters && dropped < events.length - 1)
        characters -= events[dropped++]?.length ?? 0
      if (dropped > 0) events = events.slice(dropped)
      return String(last)
    },
    async getStreamIdForEventId(id) {
      return events.find((event) => event.id === Number(id))?.stream
    },
    async replayEventsAfter(id, { send }) {
      const stream = events.find((event) => event.id === Number(id))?.stream
      if (stream === undefined) throw new Error(`There is no event ${id}; begin a new session.`)
      for (const event of events)
        if (event.id > Number(id) && event.stream === stream)
          await send(String(event.id), event.message)
      return stream
    },
  }
}
