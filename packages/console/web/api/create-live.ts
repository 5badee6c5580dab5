import type { Schemas } from './create-api.ts'
import { readEvents } from './read-events.ts'

type LiveState = 'connecting' | 'live' | 'reconnecting'

export interface LiveLine {
  /** Grows with each line. */
  id: number
  line: Schemas['JournalLine']
}

export interface LiveView {
  state: LiveState
  /** Newest first; at most `kept`. */
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
  /** The events, as they are sent. */
  open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array> | null | undefined>
  onServers: (servers: Schemas['Server'][]) => void
  onChanged: (what: string[]) => void
  /** After a pause anything may have changed. */
  onResumed: () => void
  kept?: number
  /** Listeners hear at most once in this many milliseconds. */
  every?: number
}

/** Follows the events of the aggregator. Reconnects by itself, after 1 s at first, 10 s at most. */
export function createLive(options: LiveOptions): Live {
  const { kept = 500, every = 100 } = options
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
    const lines = [...arrived.reverse(), ...view.lines].slice(0, kept)
    arrived = []
    publish({ lines, skipped, rate: rate() })
  }

  function take(batch: { lines: Schemas['JournalLine'][]; skipped: number; calls?: number }): void {
    for (const line of batch.lines) arrived.push({ id: nextId++, line })
    if (arrived.length > kept) arrived = arrived.slice(-kept)
    skipped += batch.skipped
    const calls = batch.lines.filter(({ kind }) => kind === 'call').length + batch.skipped
    perSecond.set(second(), (perSecond.get(second()) ?? 0) + (batch.calls ?? calls))
    flushing ??= setTimeout(flush, every)
  }

  function hear(name: string, text: string): void {
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
    // However it ends, it is begun again.
    await readEvents({ open: options.open, onEvent: hear, signal }).catch(() => undefined)
    if (!signal.aborted) lose()
  }

  function lose(): void {
    reading?.abort()
    clearTimeout(retry)
    failures++
    publish({ state: 'reconnecting' })
    retry = setTimeout(follow, Math.min(10_000, 500 * 2 ** failures))
  }

  /** The network is back: no need to wait. */
  function find(): void {
    if (view.state === 'reconnecting') void follow()
  }

  addEventListener('offline', lose)
  addEventListener('online', find)

  const ticking = setInterval(() => publish({ rate: rate() }), 1_000)
  void follow()

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    view: () => view,
    close() {
      removeEventListener('offline', lose)
      removeEventListener('online', find)
      reading?.abort()
      clearTimeout(retry)
      clearTimeout(flushing)
      clearInterval(ticking)
      listeners.clear()
    },
  }
}
