import { readEvents } from './read-events.ts'
import type { Schemas } from './schemas.ts'

/** An event after `hello`. Others are ignored. */
type LiveEvent =
  | { name: 'lines'; data: Schemas['LinesEvent'] }
  | { name: 'servers'; data: Schemas['ServersEvent'] }
  | { name: 'changed'; data: Schemas['ChangedEvent'] }

interface EventConnectionOptions {
  /** Opens the stream of events. */
  open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array> | null | undefined>
  onEvent: (event: LiveEvent) => void
  /** Called for `hello`, the first event. `isResumed`: events were lost before. */
  onOpen: (isResumed: boolean) => void
  onLost: () => void
}

/** Follows the events of the aggregator. Reconnects with a backoff from 1 s to 10 s. */
export class EventConnection {
  readonly #options: EventConnectionOptions
  /** Since the last `hello`. */
  #failures = 0
  #reading: AbortController | undefined
  #retry: ReturnType<typeof setTimeout> | undefined

  constructor(options: EventConnectionOptions) {
    this.#options = options
    addEventListener('offline', this.#disconnect)
    addEventListener('online', this.#reconnect)
    void this.#follow()
  }

  close(): void {
    removeEventListener('offline', this.#disconnect)
    removeEventListener('online', this.#reconnect)
    this.#reading?.abort()
    clearTimeout(this.#retry)
  }

  async #follow(): Promise<void> {
    clearTimeout(this.#retry)
    const own = new AbortController()
    this.#reading?.abort()
    this.#reading = own
    const { signal } = own
    const onEvent = (name: string, text: string) => this.#receive(name, text)
    // Reconnect after an end and after an error alike.
    await readEvents({ open: this.#options.open, onEvent, signal }).catch(() => undefined)
    if (!signal.aborted) this.#disconnect()
  }

  #receive(name: string, text: string): void {
    if (name === 'hello') {
      const isResumed = this.#failures > 0
      this.#failures = 0
      this.#options.onOpen(isResumed)
    } else this.#options.onEvent({ name, data: JSON.parse(text) } as LiveEvent)
  }

  readonly #disconnect = (): void => {
    this.#reading?.abort()
    clearTimeout(this.#retry)
    this.#failures++
    this.#options.onLost()
    const delay = Math.min(10_000, 500 * 2 ** this.#failures)
    this.#retry = setTimeout(() => void this.#follow(), delay)
  }

  /** Skip the backoff when the network is back. */
  readonly #reconnect = (): void => {
    if (this.#failures > 0) void this.#follow()
  }
}
