import type { RateLimiterFactory } from './rate-limiter.ts'

/** Rate limits shared between processes. */
export interface SharedRateLimiter {
  count: RateLimiterFactory
  /** Calls counted in this process only, while Redis could not be used. */
  readonly fallbacks: number
  close(): void
}

/** Timeout of the start and of each reconnection. */
const connectMs = 1_000
/** Timeout of one command: calls wait for it. */
const commandMs = 300
/** After a failure Redis is not used for this long, so that not every call waits. */
const pauseMs = 2_000

/**
 * Counts in Redis, together with all processes that use it. While Redis cannot be reached, hangs or
 * is read-only, each process counts on its own; the beginning and the end of that are logged, with
 * the number of calls. The start waits for Redis for at most a second.
 * @throws {Error} if the client for Redis is not installed
 */
export async function createRedisRateLimiter(
  url: string,
  onLog: (text: string) => void,
): Promise<SharedRateLimiter> {
  const [{ Redis }, { RateLimiterRedis }, { limiterOver, inMemoryRateLimiter }] = await Promise.all(
    [import('ioredis'), import('rate-limiter-flexible'), import('./rate-limiter.ts')],
  )
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: connectMs,
    commandTimeout: commandMs,
  })
  let problem: string | undefined
  let retryAt = 0
  /** Calls counted in this process since the last failure; `fallbacks` is the total. */
  let missed = 0
  let fallbacks = 0

  function failed(error: Error): void {
    retryAt = performance.now() + pauseMs
    const message = reasonOf(error)
    if (problem === undefined)
      onLog(`Redis cannot be used (${message}); calls are counted in this process.`)
    problem = message
  }

  function worked(): void {
    if (problem !== undefined)
      onLog(
        `Redis can be used again; ${missed} ${missed === 1 ? 'call was' : 'calls were'} counted in this process in the meantime.`,
      )
    problem = undefined
    missed = 0
  }

  client.on('error', failed)
  // Calls before the connection is ready would be counted in this process only.
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
    count({ calls, seconds }) {
      const rate = { points: calls, duration: seconds, keyPrefix: `pith:${calls}:${seconds}` }
      const shared = limiterOver(new RateLimiterRedis({ ...rate, storeClient: client }))
      const own = inMemoryRateLimiter({ calls, seconds })
      return async (key) => {
        if (performance.now() >= retryAt) {
          try {
            const wait = await shared(key)
            worked()
            return wait
          } catch (error) {
            failed(error as Error)
          }
        }
        missed++
        fallbacks++
        return own(key)
      }
    },
    get fallbacks() {
      return fallbacks
    },
    close: () => client.disconnect(),
  }
}

/** Errors of Redis, such as `READONLY …` and `OOM …`, or the code of the network error. */
function reasonOf(error: Error): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (message === 'Command timed out') return `it did not answer within ${commandMs} ms`
  return (code ?? message).split('\n', 1)[0]?.slice(0, 200) ?? ''
}
