import type { CountCalls } from './count-calls.ts'

/** Counts where several processes count together. */
export interface SharedCounts {
  count: CountCalls
  close(): void
}

/**
 * Counts in Redis, together with all processes that use it. While it cannot be reached each process
 * counts by itself, which is said once.
 * @throws {Error} if the client for Redis is not installed
 */
export async function countInRedis(
  url: string,
  onLog: (text: string) => void,
): Promise<SharedCounts> {
  const [{ Redis }, { RateLimiterMemory, RateLimiterRedis }, { counterBy }] = await Promise.all([
    import('ioredis'),
    import('rate-limiter-flexible'),
    import('./count-calls.ts'),
  ])
  const client = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1 })
  let isTold = false
  client.on('error', (error: Error) => {
    const { code = error.message } = error as NodeJS.ErrnoException
    if (!isTold) onLog(`Redis cannot be used (${code}); calls are counted in this process.`)
    isTold = true
  })
  client.on('ready', () => {
    isTold = false
  })
  // Calls that come before it is there would be counted by nobody else.
  await new Promise<void>((resolve) => {
    client.once('ready', resolve)
    client.once('error', () => resolve())
  })
  return {
    count({ calls, seconds }) {
      const rate = { points: calls, duration: seconds, keyPrefix: `pith:${calls}:${seconds}` }
      const insuranceLimiter = new RateLimiterMemory(rate)
      return counterBy(new RateLimiterRedis({ ...rate, storeClient: client, insuranceLimiter }))
    },
    close: () => client.disconnect(),
  }
}
