import type { CountCalls } from './count-calls.ts'

/** Counts where several processes count together. */
export interface SharedCounts {
  count: CountCalls
  /** Calls that were counted in this process only, since Redis could not be used. */
  readonly fallbacks: number
  close(): void
}

/** Of the start, and of reaching Redis again. */
const connectMs = 1_000
/** Of one command: calls wait for it. */
const commandMs = 300
/** After a failure Redis is left alone for so long, so that not every call waits. */
const pauseMs = 2_000

/**
 * Counts in Redis, together with all processes that use it. While it cannot be reached, hangs or
 * takes no writes, each process counts by itself, which is said once, and again with how many calls
 * that were once it is over. The start waits for a second at most.
 * @throws {Error} if the client for Redis is not installed
 */
export async function countInRedis(
  url: string,
  onLog: (text: string) => void,
): Promise<SharedCounts> {
  const [{ Redis }, { RateLimiterRedis }, { counterBy, countInMemory }] = await Promise.all([
    import('ioredis'),
    import('rate-limiter-flexible'),
    import('./count-calls.ts'),
  ])
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: connectMs,
    commandTimeout: commandMs,
  })
  let problem: string | undefined
  let retryAt = 0
  /** Since it could be used last, and in all. */
  let missed = 0
  let fallbacks = 0

  function failed(error: Error): void {
    retryAt = performance.now() + pauseMs
    const said = reasonOf(error)
    if (problem === undefined)
      onLog(`Redis cannot be used (${said}); calls are counted in this process.`)
    problem = said
  }

  function worked(): void {
    if (problem !== undefined)
      onLog(`Redis can be used again; ${missed} calls were counted in this process meanwhile.`)
    problem = undefined
    missed = 0
  }

  client.on('error', failed)
  // Calls that come before it is there would be counted by nobody else.
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
      const shared = counterBy(new RateLimiterRedis({ ...rate, storeClient: client }))
      const own = countInMemory({ calls, seconds })
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

/** What Redis says of itself, such as `READONLY …` and `OOM …`, else the code of the network. */
function reasonOf(error: Error): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (message === 'Command timed out') return `it did not answer within ${commandMs} ms`
  return (code ?? message).split('\n', 1)[0]?.slice(0, 200) ?? ''
}
