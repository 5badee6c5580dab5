import type { Schemas } from './schemas.ts'

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
export class LiveStore {
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
