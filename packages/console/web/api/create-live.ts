import { type OpenStream, readEvents } from './read-events.ts'
import type { Schemas } from './schemas.ts'

export type Live = ReturnType<typeof createLive>

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
export function createLive({ open, onServers, onChanged, onResumed }: LiveOptions) {
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

/** Ids increase with each line. */
export type LiveLine = Schemas['JournalLine'] & { id: number }

export interface LiveView {
  state: 'connecting' | 'live' | 'reconnecting'
  /** Newest first, at most 500. */
  lines: readonly LiveLine[]
  /** Lines that were not sent because there were too many. */
  skipped: number
  /** Calls of each of the last 60 seconds, oldest first. */
  rate: readonly number[]
}

const maxLines = 500
const rateSeconds = 60
/** Milliseconds between calls of listeners when lines arrive. */
const flushMs = 100

/** The lines that arrived since the page was opened, in the form that React subscribes to. */
class LiveStore {
  readonly #listeners = new Set<() => void>()
  /** Calls by the second in which they were reported. */
  readonly #calls = new Map<number, number>()
  readonly #ticking = setInterval(() => this.#publish({ rate: this.#lastMinute() }), 1_000)
  #flushing: ReturnType<typeof setTimeout> | undefined
  #view: LiveView = { state: 'connecting', lines: [], skipped: 0, rate: Array(rateSeconds).fill(0) }
  /** Oldest first. */
  #arrived: LiveLine[] = []
  #skipped = 0
  #nextId = 1

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly view = (): LiveView => this.#view

  setState(state: LiveView['state']): void {
    this.#publish({ state })
  }

  add({ lines, skipped, calls }: Schemas['LinesEvent']): void {
    for (const line of lines) this.#arrived.push({ ...line, id: this.#nextId++ })
    if (this.#arrived.length > maxLines) this.#arrived = this.#arrived.slice(-maxLines)
    this.#skipped += skipped
    this.#calls.set(second(), (this.#calls.get(second()) ?? 0) + calls)
    this.#flushing ??= setTimeout(() => this.#flush(), flushMs)
  }

  close(): void {
    clearTimeout(this.#flushing)
    clearInterval(this.#ticking)
    this.#listeners.clear()
  }

  #flush(): void {
    this.#flushing = undefined
    const lines = [...this.#arrived.reverse(), ...this.#view.lines].slice(0, maxLines)
    this.#arrived = []
    this.#publish({ lines, skipped: this.#skipped, rate: this.#lastMinute() })
  }

  #lastMinute(): number[] {
    const first = second() - rateSeconds + 1
    for (const time of this.#calls.keys()) if (time < first) this.#calls.delete(time)
    return Array.from({ length: rateSeconds }, (_, index) => this.#calls.get(first + index) ?? 0)
  }

  #publish(change: Partial<LiveView>): void {
    this.#view = { ...this.#view, ...change }
    for (const listener of this.#listeners) listener()
  }
}

const second = (): number => Math.floor(Date.now() / 1_000)
