import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import { type CountCalls, counterBy } from './count-calls.ts'

/**
 * Counts in Redis, together with all processes that use it. While it cannot be reached each process
 * counts by itself, which is said once.
 * @throws {Error} if the client for Redis is not installed
 */
export async function countInRedis(
  url: string,
  onLog: (text: string) => void,
): Promise<CountCalls> {
  const { Redis } = await import('ioredis')
  const client = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1 })
  let isTold = false
  client.on('error', (error: Error) => {
    if (!isTold)
      onLog(`Redis cannot be used (${error.message}); calls are counted in this process.`)
    isTold = true
  })
  client.on('ready', () => {
    isTold = false
  })
  return ({ calls, seconds }) => {
    const rate = { points: calls, duration: seconds, keyPrefix: `pith:${calls}:${seconds}` }
    return counterBy(
      new RateLimiterRedis({
        ...rate,
        storeClient: client,
        insuranceLimiter: new RateLimiterMemory(rate),
      }),
    )
  }
}
