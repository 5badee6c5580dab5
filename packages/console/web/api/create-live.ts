import type { Schemas } from './create-api.ts'
import { readEvents } from './read-events.ts'

type LiveState = 'connecting' | 'live' | 'reconnecting'

export interface LiveLine {
  /** Increases with each line. */
  id: number
  line: Schemas['JournalLine']
}

export interface LiveView {
  state: LiveState
  /** Newest first, at most `maxLines`. */
  lines: readonly LiveLine[]
  /** Lines that were not sent because there were too many. */
  skipped: number
  /** Calls of each of the last 60 seconds, oldest first. */
  rate: readonly number[]
}

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
  maxLines?: number
  /** Milliseconds between calls of listeners. */
  intervalMs?: number
}

/** Follows the events of the aggregator. Reconnects with a backoff from 1 s to 10 s. */
export function createLive(options: LiveOptions): Live {
  const { maxLines = 500, intervalMs = 100 } = options
  const listeners = new Set<() => void>()
  const perSecond = new Map<number, number>()
  let view: LiveView = { state: 'connecting', lines: [], skipped: 0, rate: Array(60).fill(0) }
  let arrived: LiveLine[] = []
  let skipped = 0
  let nextId = 1
  let failures = 0
  let reading: AbortController | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let flushing: ReturnType<typeof setTimeout> | undefined

  const second = () => Math.floor(Date.now() / 1000)

  function publish(change: Partial<LiveView>): void {
    view = { ...view, ...change }
    for (const listener of listeners) listener()
  }

  function rate(): number[] {
    const now = second()
    for (const time of perSecond.keys()) if (time <= now - 60) perSecond.delete(time)
    return Array.from({ length: 60 }, (_, index) => perSecond.get(now - 59 + index) ?? 0)
  }

  function flush(): void {
    flushing = undefined
    const lines = [...arrived.reverse(), ...view.lines].slice(0, maxLines)
    arrived = []
    publish({ lines, skipped, rate: rate() })
  }

  function take(batch: { lines: Schemas['JournalLine'][]; skipped: number; calls?: number }): void {
    for (const line of batch.lines) arrived.push({ id: nextId++, line })
    if (arrived.length > maxLines) arrived = arrived.slice(-maxLines)
    skipped += batch.skipped
    const calls = batch.lines.filter(({ kind }) => kind === 'call').length + batch.skipped
    perSecond.set(second(), (perSecond.get(second()) ?? 0) + (batch.calls ?? calls))
    flushing ??= setTimeout(flush, intervalMs)
  }

  function receive(name: string, text: string): void {
    const data = JSON.parse(text)
    if (name === 'lines') take(data)
    else if (name === 'servers') options.onServers(data.servers)
    else if (name === 'changed') options.onChanged(data.what)
    else if (name === 'hello') {
      if (failures > 0) options.onResumed()
      failures = 0
      publish({ state: 'live' })
    }
  }

  async function follow(): Promise<void> {
    clearTimeout(retry)
    const own = new AbortController()
    reading?.abort()
    reading = own
    const { signal } = own
    // Reconnect after an end and after an error alike.
    await readEvents({ open: options.open, onEvent: receive, signal }).catch(() => undefined)
    if (!signal.aborted) disconnect()
  }

  function disconnect(): void {
    reading?.abort()
    clearTimeout(retry)
    failures++
    publish({ state: 'reconnecting' })
    retry = setTimeout(follow, Math.min(10_000, 500 * 2 ** failures))
  }

  /** Skip the backoff when the network is back. */
  function reconnect(): void {
    if (view.state === 'reconnecting') void follow()
  }

  addEventListener('offline', disconnect)
  addEventListener('online', reconnect)

  const ticking = setInterval(() => publish({ rate: rate() }), 1_000)
  void follow()

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    view: () => view,
    close() {
      removeEventListener('offline', disconnect)
      removeEventListener('online', reconnect)
      reading?.abort()
      clearTimeout(retry)
      clearTimeout(flushing)
      clearInterval(ticking)
      listeners.clear()
    },
  }
}
