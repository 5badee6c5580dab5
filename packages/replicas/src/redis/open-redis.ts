import type { Redis } from 'ioredis'

/** A connection to Redis, from version 6.2, that is not waited for long while it cannot be used. */
export interface RedisConnection {
  /** The result of a command; undefined if Redis cannot be used. Never rejects. */
  attempt<T>(run: (client: Redis) => Promise<T>): Promise<{ value: T } | undefined>
  readonly client: Redis
  /** Why it cannot be used now. */
  problem(): string | undefined
  /** Commands that could not be run. */
  readonly missed: number
  close(): void
}

export interface RedisOptions {
  onLog: (text: string) => void
  /** Milliseconds for one command: calls wait for it. Default 300. */
  commandMs?: number | undefined
  /** What happens without it, for the log. */
  instead: string
}

/** Timeout of the start and of each reconnection. */
const connectMs = 1_000
/** Milliseconds beyond a command's after which a connection without an answer is made again. */
const silentMs = 1_000
const maxRetryMs = 1_000
/** After a failure Redis is not used for this long, so that not every call waits. */
const pauseMs = 2_000

/**
 * Connects to Redis. The start waits for it for at most a second; the beginning and the end of a
 * failure are logged.
 * @throws {Error} if the client for Redis is not installed
 */
export async function openRedis(url: string, options: RedisOptions): Promise<RedisConnection> {
  const { onLog, commandMs = 300, instead } = options
  const { Redis: Client } = await import('ioredis')
  const client = new Client(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: connectMs,
    commandTimeout: commandMs,
    socketTimeout: commandMs + silentMs,
    retryStrategy: (times) => Math.min(times * 100, maxRetryMs),
  })
  let problem: string | undefined
  let retryAt = 0
  let isClosed = false
  /** Since the last failure; `total` is since the start. */
  let missed = 0
  let total = 0

  function failed(error: Error): void {
    // What is still noted at the end has no listener.
    if (isClosed) return
    retryAt = performance.now() + pauseMs
    const message = reasonOf(error, commandMs)
    if (problem === undefined) onLog(`Redis cannot be used (${message}); ${instead}.`)
    problem = message
  }

  function worked(): void {
    if (problem !== undefined)
      onLog(
        `Redis can be used again; it was missing for ${missed} ${missed === 1 ? 'command' : 'commands'}.`,
      )
    problem = undefined
    missed = 0
  }

  client.on('error', failed)
  client.on('ready', () => {
    retryAt = 0
    worked()
  })
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      failed(new Error(`it did not answer within ${connectMs / 1_000} s`))
      resolve()
    }, connectMs)
    const settle = (): void => {
      clearTimeout(timer)
      resolve()
    }
    client.once('ready', settle).once('error', settle)
  })
  return {
    client,
    async attempt(run) {
      if (performance.now() >= retryAt)
        try {
          const value = await run(client)
          worked()
          return { value }
        } catch (error) {
          failed(error as Error)
        }
      missed++
      total++
      return undefined
    },
    problem: () => problem,
    get missed() {
      return total
    },
    close() {
      isClosed = true
      client.disconnect()
    },
  }
}

/** Errors of Redis, such as `READONLY …` and `OOM …`, or the code of the network error. */
function reasonOf(error: Error, commandMs: number): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (message === 'Command timed out') return `it did not answer within ${commandMs} ms`
  return (code ?? message).split('\n', 1)[0]?.slice(0, 200) ?? ''
}
