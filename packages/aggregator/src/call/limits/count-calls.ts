import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Rate } from '../../config/limit-settings.ts'
/** Count one call. Resolves to the milliseconds until the next one may be made, if it may not. */
export type Counter = (key: string) => Promise<number | undefined>

/** Counts by a rate, here or where several processes count together. */
export type CountCalls = (rate: Rate) => Counter

export const countInMemory: CountCalls = ({ calls, seconds }) =>
  counterBy(new RateLimiterMemory({ points: calls, duration: seconds, keyPrefix: '' }))

export const counterBy =
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
