import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Rate } from '../../config/limit-settings.ts'
/**
 * Counts one call. Resolves to the milliseconds to wait if the limit is reached, otherwise to
 * undefined.
 */
export type Counter = (key: string) => Promise<number | undefined>

/** Creates a counter for a rate, in memory or shared between processes. */
export type RateLimiterFactory = (rate: Rate) => Counter

export const inMemoryRateLimiter: RateLimiterFactory = ({ calls, seconds }) =>
  limiterOver(new RateLimiterMemory({ points: calls, duration: seconds, keyPrefix: '' }))

export const limiterOver =
  (limiter: RateLimiterAbstract): Counter =>
  async (key) => {
    try {
      await limiter.consume(key)
      return undefined
    } catch (error) {
      if (error instanceof RateLimiterRes) return error.msBeforeNext
      throw error
    }
  }
