import { EventConnection } from './event-connection.ts'
import { LiveStore, type LiveView } from './live-store.ts'
import type { Schemas } from './schemas.ts'

export interface Live {
  subscribe: (listener: () => void) => () => void
  view: () => LiveView
  close: () => void
}

interface LiveOptions {
  /** Opens the stream of events. */
  open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array> | null | undefined>
  onServers: (servers: Schemas['Server'][]) => void
  onChanged: (what: string[]) => void
  /** Called after a reconnect: anything may have changed meanwhile. */
  onResumed: () => void
}

/** Follows the events of the aggregator until it is closed. */
export function createLive({ open, onServers, onChanged, onResumed }: LiveOptions): Live {
  const store = new LiveStore()
  const connection = new EventConnection({
    open,
    onEvent({ name, data }) {
      if (name === 'lines') store.add(data)
      else if (name === 'servers') onServers(data.servers)
      else if (name === 'changed') onChanged(data.what)
    },
    onOpen(isResumed) {
      if (isResumed) onResumed()
      store.setState('live')
    },
    onLost: () => store.setState('reconnecting'),
  })
  return {
    subscribe: store.subscribe,
    view: store.view,
    close() {
      connection.close()
      store.close()
    },
  }
}
