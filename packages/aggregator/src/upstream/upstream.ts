import { raceAbort } from '#base/race-abort'
import { type Connection, ConnectionLost, HttpRefusal } from '#servers/connection/connection'
import { NeedsSignIn } from '#servers/connection/needs-sign-in'
import { abortSignalOf, type Cancellable } from '#servers/protocol/cancellation'
import { qualifiedName } from '#servers/protocol/server-account'
import { type Resolvers, withResolvers } from '#servers/protocol/with-resolvers'
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'
import { ConnectionWatch } from './connection-watch.ts'
import { isAlive, isAnswer } from './is-alive.ts'
import { type ServerStart, StartTimeout, startServer } from './start-server.ts'
import { type Effect, type State, type StateEvent, transition } from './state.ts'
import { createStderrTail, type StderrTail } from './stderr-tail.ts'
import { createUpstreamErrors, type UpstreamErrors } from './upstream-errors.ts'
import type { UpstreamOptions, UpstreamStatus } from './upstream-options.ts'

/** A call that waits for the connection. */
interface Caller {
  resolve(connection: Connection): void
  reject(error: unknown): void
}

/** A call waits at most this long for the backoff after failures. */
const maxWaitMs = 1_000

/**
 * One instance of a server: started at the first use, stopped when idle. `state.ts` has its states;
 * this class carries out what a transition requires.
 */
export class Upstream {
  readonly server: UpstreamOptions['server']
  readonly #options: UpstreamOptions
  readonly #name: string
  readonly #stderr: StderrTail
  readonly #breaker: CircuitBreaker = createCircuitBreaker()
  readonly #errors: UpstreamErrors
  readonly #watch: ConnectionWatch
  #state: State<Caller, Connection> = { name: 'stopped' }
  /** The start in progress. */
  #start: { abort: ServerStart['abort']; settled: Promise<void> } | undefined
  #closing: Promise<void> | undefined
  #lastError: string | undefined
  #need: NeedsSignIn | undefined
  #isNeeded = (): boolean => false
  #isRetired = false
  readonly #ended: Resolvers<void> = withResolvers()
  #users = 0
  #calls = 0
  #starts = 0
  #readyAt = 0

  constructor(options: UpstreamOptions) {
    const { server, redact, events } = options
    this.#options = options
    this.server = server
    this.#name = qualifiedName(server)
    this.#stderr = createStderrTail(redact, events.onStderr)
    const { idleMs } = server
    this.#errors = createUpstreamErrors(server, this.#breaker, this.#stderr, redact)
    this.#watch = new ConnectionWatch({
      idleMs,
      isBusy: () => this.#users > 0,
      onIdle: () => this.#isIdle(),
      onProbe: (connection) => void this.#probe(connection),
    })
  }

  /** The open connection, if there is one. */
  get connection(): Connection | undefined {
    return this.#state.name === 'ready' ? this.#state.connection : undefined
  }

  /** Starts the server if necessary and runs `work`. @throws {AggregatorError} `upstream_down` */
  async use<T>(work: (connection: Connection) => Promise<T>, signal?: Cancellable): Promise<T> {
    const quietMs = this.#breaker.quietMs()
    if (quietMs > 0) throw this.#errors.quiet(quietMs)
    this.#users++
    try {
      const result = await this.#attempt(work, signal)
      this.#breaker.succeeded()
      this.#need = undefined
      return result
    } catch (error) {
      if (isAnswer(error)) this.#breaker.succeeded()
      if (error instanceof NeedsSignIn && error !== this.#need) this.#signInNeeded(error)
      if (error instanceof HttpRefusal) this.#breaker.beQuiet(error.retryMs)
      if (error instanceof HttpRefusal) throw this.#errors.refused(error)
      throw error instanceof ConnectionLost ? this.#lostError(error) : error
    } finally {
      this.#users--
      if (this.#users === 0) this.#unused()
    }
  }

  /** Counts a tool call; lists and probes do not count. */
  recordCall(): void {
    this.#calls++
    this.#options.events.onCount?.('calls')
  }

  /** Keeps the server running while `isNeeded` returns true, for subscriptions. */
  acquire(isNeeded: () => boolean): void {
    this.#isNeeded = isNeeded
  }

  /**
   * A call timed out: stops the server if it does not answer a probe, so that the next call starts
   * a fresh one.
   */
  suspect(): void {
    const { connection } = this
    if (connection !== undefined) void this.#probe(connection)
  }

  status(): UpstreamStatus {
    const needsSignIn = this.#need?.isOver() === false
    const isDown = this.#breaker.failures > 0 || this.server.problem !== undefined || needsSignIn
    const { name } = this.#state
    const isStarting = name === 'pausing' || name === 'starting'
    const other = isDown ? 'down' : 'stopped'
    return {
      state: name === 'ready' ? 'ready' : isStarting ? 'starting' : other,
      failures: this.#breaker.failures,
      retryInMs: this.#breaker.waitMs(),
      needsSignIn,
      lastError: this.#lastError ?? this.server.problem,
      stderr: this.#stderr.lines(),
      calls: this.#calls,
      starts: this.#starts,
      pid: this.connection?.pid,
      readyAt: this.connection && this.#readyAt,
    }
  }

  /** Accepts no new calls; stops after the last active one. Resolves when it has stopped. */
  retire(): Promise<void> {
    this.#isRetired = true
    this.#isNeeded = () => false
    return this.#users === 0 ? this.stop() : this.#ended.promise
  }

  /** Ends the instance for good, and the calls that wait for it. */
  async stop(): Promise<void> {
    this.#dispatch({ name: 'stop' })
    this.#start?.abort(new Error('it was stopped'))
    await this.#start?.settled
    await this.#closing
    this.#ended.resolve()
  }

  /** Retries once with a new connection if the server dropped the session or did not read it. */
  async #attempt<T>(
    work: (connection: Connection) => Promise<T>,
    signal: Cancellable | undefined,
  ): Promise<T> {
    try {
      return await work(this.connection ?? (await this.#opened(signal)))
    } catch (error) {
      if (!(error instanceof ConnectionLost && error.isUntouched)) throw error
      return await work(this.connection ?? (await this.#opened(signal)))
    }
  }

  /** Waits for the connection, and starts the server if necessary. */
  async #opened(signal?: Cancellable): Promise<Connection> {
    if (this.#state.name !== 'ended' && this.server.problem !== undefined)
      throw this.#errors.unusable()
    const pauseMs = this.#breaker.waitMs()
    if (this.#state.name === 'stopped' && pauseMs > maxWaitMs)
      throw this.#errors.down(this.#lastError ?? 'it failed before')
    let leave = (): void => {}
    const opened = new Promise<Connection>((resolve, reject) => {
      const caller = { resolve, reject }
      leave = () => this.#dispatch({ name: 'leave', caller })
      this.#dispatch({ name: 'call', caller, pauseMs })
    })
    if (signal === undefined) return opened
    opened.catch(() => {})
    return raceAbort(opened, abortSignalOf(signal)).finally(leave)
  }

  #dispatch(event: StateEvent<Caller, Connection>): void {
    const { state, effects } = transition(this.#state, event)
    if (this.#state.name === 'ready' && state.name !== 'ready') this.#watch.stop()
    this.#state = state
    for (const effect of effects) this.#carryOut(effect)
  }

  #carryOut(effect: Effect<Caller, Connection>): void {
    switch (effect.name) {
      case 'pause':
        setTimeout(() => this.#dispatch({ name: 'pauseOver' }), effect.ms)
        break
      case 'connect':
        this.#connect()
        break
      case 'close':
        this.#closing = effect.connection.close()
        break
      case 'resolve':
        for (const caller of effect.callers) caller.resolve(effect.connection)
        break
      case 'reject': {
        const error = effect.error ?? this.#errors.down('it was stopped')
        for (const caller of effect.callers) caller.reject(error)
      }
    }
  }

  #connect(): void {
    const { server, capabilities, connect, era, events } = this.#options
    this.#starts++
    events.onCount?.('starts')
    const { onNotification, onAsk } = events
    const onStderr = (text: string): void => this.#stderr.add(text)
    const options = { server, capabilities, era: era(), onNotification, onAsk, onStderr }
    const start = startServer(connect, options)
    const settled = start.connection.then(
      (connection) => this.#ready(connection),
      (error: unknown) => this.#failed(error),
    )
    this.#start = { abort: start.abort, settled }
  }

  #ready(connection: Connection): void {
    this.#start = undefined
    this.#dispatch({ name: 'opened', connection })
    if (this.connection !== connection) return
    void connection.closed.then((reason) => this.#lost(connection, reason))
    this.#readyAt = Date.now()
    this.#options.events.onReady(connection)
    this.#watch.start(connection)
  }

  #failed(error: unknown): void {
    this.#start = undefined
    if (error instanceof NeedsSignIn) {
      this.#signInNeeded(error)
      this.#dispatch({ name: 'failed', error })
      return
    }
    this.#lastError = this.#options.redact(messageOf(error))
    this.#breaker.beQuiet((error as { retryMs?: number }).retryMs)
    this.#breaker.failed(error instanceof StartTimeout ? this.server.startTimeoutMs : 0)
    if (this.#state.name !== 'ended')
      this.#options.events.onLog(`${this.#name} did not start: ${this.#lastError}.`)
    this.#dispatch({ name: 'failed', error: this.#errors.down(this.#lastError) })
  }

  #lost(connection: Connection, reason: string): void {
    if (this.connection !== connection) return
    this.#dispatch({ name: 'lost', connection })
    this.#lastError = this.#options.redact(reason)
    this.#breaker.failed()
    this.#options.events.onLog(`${this.#name} ended: ${this.#lastError}.`)
    // Subscribers make no calls that would start it again.
    if (this.#isNeeded()) setTimeout(() => this.#restart(), this.#breaker.waitMs() + 100).unref()
  }

  #restart(): void {
    if (this.connection === undefined && this.#isNeeded()) this.#opened().catch(() => {})
  }

  /** Not a failure: the server can be tried as soon as a user has signed in. */
  #signInNeeded(error: NeedsSignIn): void {
    if (this.#need === undefined || this.#need.isOver()) this.#options.events.onLog(error.message)
    this.#need = error
    this.#lastError = this.#options.redact(messageOf(error))
    this.#breaker.succeeded()
  }

  /** A request that no server has read had no effects, and was tried twice. */
  #lostError(error: ConnectionLost): Error {
    return error.isUntouched ? this.#errors.down(error.message) : this.#errors.closed(error)
  }

  /** Stops a server that hangs, so that the next call starts a fresh one. */
  async #probe(connection: Connection): Promise<void> {
    if ((await isAlive(connection)) || this.connection !== connection) return
    this.#options.events.onLog(`${this.#name} does not answer and is stopped.`)
    await connection.close()
  }

  #isIdle(): boolean {
    if (this.#isNeeded()) return false
    this.#dispatch({ name: 'idle' })
    return true
  }

  #unused(): void {
    if (this.#isRetired) void this.stop()
    else if (this.connection !== undefined) this.#watch.restartIdle()
  }
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
