import { LiveStore, type LiveView } from './live-store.ts'
import { type OpenStream, readEvents } from './read-events.ts'
import type { Schemas } from './schemas.ts'

export interface Live {
  subscribe: (listener: () => void) => () => void
  view: () => LiveView
  close: () => void
}

interface LiveOptions {
  open: OpenStream
  onServers: (servers: Schemas['Server'][]) => void
  onChanged: (what: string[]) => void
  /** Called after a reconnect: anything may have changed meanwhile. */
  onResumed: () => void
}

/**
 * Follows the events of the aggregator until it is closed. Reconnects with a backoff from 1 s to
 * 10 s.
 */
export function createLive({ open, onServers, onChanged, onResumed }: LiveOptions): Live {
  const store = new LiveStore()
  /** Since the last `hello`. */
  let failures = 0
  let reading = new AbortController()
  let retry: ReturnType<typeof setTimeout> | undefined

  async function follow(): Promise<void> {
    clearTimeout(retry)
    reading.abort()
    reading = new AbortController()
    const { signal } = reading
    // Reconnect after an end and after an error alike.
    await readEvents({ open, onEvent: receive, signal }).catch(() => undefined)
    if (!signal.aborted) disconnect()
  }

  /** `hello` is the first event; unknown ones are ignored. */
  function receive(name: string, text: string): void {
    const data: unknown = JSON.parse(text)
    if (name === 'hello') {
      if (failures > 0) onResumed()
      failures = 0
      store.setState('live')
    } else if (name === 'lines') store.add(data as Schemas['LinesEvent'])
    else if (name === 'servers') onServers((data as Schemas['ServersEvent']).servers)
    else if (name === 'changed') onChanged((data as Schemas['ChangedEvent']).what)
  }

  function disconnect(): void {
    reading.abort()
    clearTimeout(retry)
    failures++
    store.setState('reconnecting')
    retry = setTimeout(() => void follow(), Math.min(10_000, 500 * 2 ** failures))
  }

  /** Skip the backoff when the network is back. */
  function reconnect(): void {
    if (failures > 0) void follow()
  }

  addEventListener('offline', disconnect)
  addEventListener('online', reconnect)
  void follow()
  return {
    subscribe: store.subscribe,
    view: store.view,
    close() {
      removeEventListener('offline', disconnect)
      removeEventListener('online', reconnect)
      reading.abort()
      clearTimeout(retry)
      store.close()
    },
  }
}
