import type { ServerConfig } from '../config/server-config.ts'
import type { Era, JsonObject } from '../protocol/message.ts'
import { raceAbort } from '../protocol/race-abort.ts'
import { unitName } from '../protocol/unit.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import {
  type Connect,
  type Connection,
  type ConnectionEvents,
  ConnectionLost,
} from './connection/connection.ts'
import { NeedsSignIn } from './connection/needs-sign-in.ts'
import { isAlive, isAnswer } from './is-alive.ts'
import { createStderrTail } from './stderr-tail.ts'
import { createUpstreamErrors } from './upstream-errors.ts'

export interface UpstreamStatus {
  state: 'stopped' | 'starting' | 'ready' | 'down'
  failures: number
  /** Milliseconds until a server that is down is tried again. */
  retryInMs: number
  /** A user must sign in before it can be used. */
  needsSignIn: boolean
  lastError: string | undefined
  stderr: string[]
  calls: number
  starts: number
}

/** One instance of a server: started at the first use, stopped when idle. */
export interface Upstream {
  readonly server: ServerConfig
  /** Declared client capabilities. */
  readonly capabilities: JsonObject
  /** The open connection, if there is one. */
  readonly connection: Connection | undefined
  /** Starts the server if necessary and runs `work`. @throws {AggregatorError} `upstream_down` */
  use<T>(work: (connection: Connection) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Counts a tool call; lists and probes do not count. */
  recordCall(): void
  /** Keeps the server running while `isNeeded` returns true, for subscriptions. */
  acquire(isNeeded: () => boolean): void
  /**
   * A call timed out: stops the server if it does not answer a probe, so that the next call starts
   * a fresh one.
   */
  suspect(): void
  status(): UpstreamStatus
  /** Accepts no new calls; stops after the last active one. */
  retire(): Promise<void>
  stop(): Promise<void>
}

export interface UpstreamOptions extends Omit<ConnectionEvents, 'onStderr'> {
  server: ServerConfig
  capabilities: JsonObject
  connect: Connect
  /** The server's era, if it is known. */
  era: () => Era | undefined
  onReady(connection: Connection): void
  onLog(text: string): void
  /** Replaces secrets in a text. */
  redact(text: string): string
  /** Called at each call and start, for totals of all instances. */
  onCount?: ((what: 'calls' | 'starts') => void) | undefined
  /** Called with each redacted line of its standard error. */
  onStderr?: ((line: string) => void) | undefined
}

/** A call waits at most this long for the backoff after failures. */
const maxWaitMs = 1_000
const healthEveryMs = 30_000

export function createUpstream(options: UpstreamOptions): Upstream {
  const { server, capabilities, connect, onLog } = options
  const name = unitName(server)
  const redact = options.redact
  const stderr = createStderrTail(redact, options.onStderr)
  const breaker = createCircuitBreaker()
  let connection: Connection | undefined
  let starting: Promise<Connection> | undefined
  let lastError: string | undefined
  let users = 0
  let calls = 0
  let starts = 0
  let isNeeded = (): boolean => false
  let isStopped = false
  let isRetired = false
  let recordEnd = (): void => {}
  const ended = new Promise<void>((resolve) => {
    recordEnd = resolve
  })
  let need: NeedsSignIn | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let healthTimer: NodeJS.Timeout | undefined
  let abortStart: AbortController | undefined

  const { down, closed, unusable } = createUpstreamErrors({ server, breaker, stderr, redact })

  async function start(): Promise<Connection> {
    const wait = breaker.waitMs()
    if (wait > maxWaitMs) throw down(lastError ?? 'it failed before')
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    const stopping = new AbortController()
    abortStart = stopping
    const timeout = setTimeout(
      () => stopping.abort(new Error(`it did not answer within ${server.startTimeoutMs / 1000} s`)),
      server.startTimeoutMs,
    )
    try {
      starts++
      options.onCount?.('starts')
      const opening = connect({
        server,
        capabilities,
        era: options.era(),
        signal: stopping.signal,
        onNotification: options.onNotification,
        onAsk: options.onAsk,
        onStderr: (text) => stderr.add(text),
      })
      const opened = await raceAbort(opening, stopping.signal, (late) => void late.close())
      if (isStopped) {
        await opened.close()
        throw new Error('it was stopped')
      }
      ready(opened)
      return opened
    } catch (error) {
      if (error instanceof NeedsSignIn) throw waiting(error)
      lastError = redact(
        stopping.signal.aborted ? messageOf(stopping.signal.reason) : messageOf(error),
      )
      breaker.failed()
      if (!isStopped) onLog(`${name} did not start: ${lastError}.`)
      throw down(lastError)
    } finally {
      clearTimeout(timeout)
      abortStart = undefined
    }
  }

  /** Not a failure: the server can be tried as soon as a user has signed in. */
  function waiting(error: NeedsSignIn): NeedsSignIn {
    if (need === undefined || need.isOver()) onLog(error.message)
    need = error
    lastError = redact(messageOf(error))
    breaker.succeeded()
    return error
  }

  const needsSignIn = (): boolean => need?.isOver() === false

  function ready(opened: Connection): void {
    connection = opened
    watchHealth(opened)
    void opened.closed.then((reason) => {
      clearInterval(healthTimer)
      if (connection !== opened) return
      connection = undefined
      lastError = redact(reason)
      breaker.failed()
      onLog(`${name} ended: ${lastError}.`)
      // Subscribers make no calls that would start it again.
      if (isNeeded() && !isStopped)
        setTimeout(() => void restart().catch(() => {}), breaker.waitMs() + 100).unref()
    })
    options.onReady(opened)
    if (users === 0) watchIdle()
  }

  /** Stops a server that hangs between calls, so that the next call starts a fresh one. */
  function watchHealth(opened: Connection): void {
    clearInterval(healthTimer)
    if (opened.era === 'modern') return
    healthTimer = setInterval(() => {
      if (users === 0) void probe(opened)
    }, healthEveryMs)
    healthTimer.unref()
  }

  async function probe(opened: Connection): Promise<void> {
    if ((await isAlive(opened)) || connection !== opened) return
    onLog(`${name} does not answer and is stopped.`)
    await opened.close()
  }

  async function restart(): Promise<void> {
    if (connection === undefined && isNeeded()) await opened(undefined)
  }

  function watchIdle(): void {
    clearTimeout(idleTimer)
    if (server.idleMs === 0 || connection === undefined) return
    idleTimer = setTimeout(() => {
      if (users > 0) return
      if (isNeeded()) return watchIdle()
      void end()
    }, server.idleMs)
    idleTimer.unref()
  }

  function isLeftAlone(): void {
    if (isRetired) void stop()
    else watchIdle()
  }

  async function stop(): Promise<void> {
    isStopped = true
    abortStart?.abort(new Error('it was stopped'))
    await end()
    await starting?.catch(() => {})
    recordEnd()
  }

  /** Stops without a failure: the next use starts it again. */
  async function end(): Promise<void> {
    clearTimeout(idleTimer)
    clearInterval(healthTimer)
    const ending = connection
    connection = undefined
    await ending?.close()
  }

  function opened(signal: AbortSignal | undefined): Connection | Promise<Connection> {
    if (connection !== undefined) return connection
    if (isStopped) throw down('it was stopped')
    if (server.problem !== undefined) throw unusable()
    starting ??= start().finally(() => {
      starting = undefined
    })
    starting.catch(() => {})
    return signal === undefined ? starting : raceAbort(starting, signal)
  }

  /**
   * Retries once with a new connection if the server dropped the session or did not read the
   * request.
   */
  async function attempt<T>(
    work: (connection: Connection) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    try {
      return await work(await opened(signal))
    } catch (error) {
      if (!(error instanceof ConnectionLost && error.isUntouched)) throw error
      return await work(await opened(signal))
    }
  }

  /** A request that no server has read had no effects, and was tried twice. */
  const lost = (error: ConnectionLost) => (error.isUntouched ? down(error.message) : closed(error))

  return {
    server,
    capabilities,
    get connection() {
      return connection
    },
    async use(work, signal) {
      users++
      try {
        const result = await attempt(work, signal)
        breaker.succeeded()
        need = undefined
        return result
      } catch (error) {
        if (isAnswer(error)) breaker.succeeded()
        if (error instanceof NeedsSignIn && error !== need) waiting(error)
        throw error instanceof ConnectionLost ? lost(error) : error
      } finally {
        users--
        if (users === 0) isLeftAlone()
      }
    },
    recordCall() {
      calls++
      options.onCount?.('calls')
    },
    suspect() {
      if (connection !== undefined) void probe(connection)
    },
    acquire(needed) {
      isNeeded = needed
    },
    status: () => ({
      state:
        connection !== undefined
          ? 'ready'
          : starting !== undefined
            ? 'starting'
            : breaker.failures > 0 || server.problem !== undefined || needsSignIn()
              ? 'down'
              : 'stopped',
      failures: breaker.failures,
      retryInMs: breaker.waitMs(),
      needsSignIn: needsSignIn(),
      lastError: lastError ?? server.problem,
      stderr: stderr.lines(),
      calls,
      starts,
    }),
    retire() {
      isRetired = true
      isNeeded = () => false
      if (users === 0) void stop()
      return ended
    },
    stop,
  }
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
