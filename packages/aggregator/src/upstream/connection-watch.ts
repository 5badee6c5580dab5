import type { Connection } from '#servers/connection/connection'

const healthEveryMs = 30_000

interface WatchOptions {
  /** Milliseconds without a call until `onIdle`; 0 for never. */
  idleMs: number
  /** True while calls run. */
  isBusy(): boolean
  /** The connection is idle. Returns false if it is still needed. */
  onIdle(): boolean
  /** A probe is due. */
  onProbe(connection: Connection): void
}

/** Watches an open connection between calls: ends it when idle, probes whether it answers. */
export class ConnectionWatch {
  readonly #options: WatchOptions
  #idleTimer: NodeJS.Timeout | undefined
  #healthTimer: NodeJS.Timeout | undefined

  constructor(options: WatchOptions) {
    this.#options = options
  }

  start(connection: Connection): void {
    this.stop()
    const { isBusy, onProbe } = this.#options
    // Modern servers are not bound to a connection that could hang.
    if (connection.era !== 'modern') {
      this.#healthTimer = setInterval(() => {
        if (!isBusy()) onProbe(connection)
      }, healthEveryMs)
      this.#healthTimer.unref()
    }
    if (!isBusy()) this.restartIdle()
  }

  /** The last call has ended. */
  restartIdle(): void {
    clearTimeout(this.#idleTimer)
    const { idleMs, isBusy, onIdle } = this.#options
    if (idleMs === 0) return
    this.#idleTimer = setTimeout(() => {
      if (!isBusy() && !onIdle()) this.restartIdle()
    }, idleMs)
    this.#idleTimer.unref()
  }

  stop(): void {
    clearTimeout(this.#idleTimer)
    clearInterval(this.#healthTimer)
  }
}
