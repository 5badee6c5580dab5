import { CallRate } from './call-rate.ts'
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
/** Milliseconds between calls of listeners when lines arrive. */
const flushMs = 100

/** The lines that arrived since the page was opened, in the form that React subscribes to. */
export class LiveStore {
  readonly #listeners = new Set<() => void>()
  readonly #rate = new CallRate()
  readonly #ticking = setInterval(() => this.#publish({ rate: this.#rate.lastMinute() }), 1_000)
  #flushing: ReturnType<typeof setTimeout> | undefined
  #view: LiveView = { state: 'connecting', lines: [], skipped: 0, rate: Array(60).fill(0) }
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
    this.#rate.add(calls)
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
    this.#publish({ lines, skipped: this.#skipped, rate: this.#rate.lastMinute() })
  }

  #publish(change: Partial<LiveView>): void {
    this.#view = { ...this.#view, ...change }
    for (const listener of this.#listeners) listener()
  }
}
