import type { EventStore } from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'

const maxCharacters = 1024 * 1024
/** A short event counts as this many characters: at most 1,000 events are stored. */
const minCharacters = Math.floor(maxCharacters / 1_000)

interface StoredEvent {
  id: string
  stream: string
  /** A message as JSON. */
  text: string
}

/** What was sent to one session, so that a client can resume a broken stream. */
export interface SessionEvents extends EventStore {
  /** Returns the id of the event. */
  store(stream: string, text: string): string
  streamOf(id: string): string | undefined
  /** The later events of the same stream. */
  after(id: string): StoredEvent[]
}

/** Stores the events of a session. The oldest are dropped. */
export function createEventStore(): SessionEvents {
  const events = new LRUCache<number, StoredEvent>({ maxSize: maxCharacters })
  let last = 0
  const streamOf = (id: string): string | undefined => events.peek(Number(id))?.stream
  const after = (id: string): StoredEvent[] => {
    const stream = streamOf(id)
    return [...events.values()]
      .toReversed()
      .filter((event) => Number(event.id) > Number(id) && event.stream === stream)
  }
  function store(stream: string, text: string): string {
    // A longer event is stored too, until the next one.
    const size = Math.min(Math.max(text.length, minCharacters), maxCharacters)
    const id = ++last
    events.set(id, { id: `${id}`, stream, text }, { size })
    return `${id}`
  }
  return {
    store,
    streamOf,
    after,
    storeEvent: async (stream, message) => store(stream, JSON.stringify(message)),
    getStreamIdForEventId: async (id) => streamOf(id),
    async replayEventsAfter(id, { send }) {
      const stream = streamOf(id)
      if (stream === undefined) throw new Error(`There is no event ${id}. Start a new session.`)
      for (const event of after(id)) await send(event.id, JSON.parse(event.text))
      return stream
    },
  }
}
