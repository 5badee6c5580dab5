import { LRUCache } from 'lru-cache'
import type { Claim } from '#servers/protocol/request-context'

/**
 * Counts a call against each rate, in order, until one is reached; only looks if `isCounted` is false.
 * Resolves to the number of that one, from 1, and the milliseconds to wait; to `[]` if none is.
 */
export type RateLimiter = (claims: readonly Claim[], isCounted?: boolean) => Promise<number[]>

/** Counts in this process. */
export function inMemoryRateLimiter(): RateLimiter {
  const windows = new LRUCache<string, { calls: number }>({ ttl: 1, ttlAutopurge: true })
  return async (claims, isCounted = true) => {
    for (const [index, { key, rate }] of claims.entries()) {
      const window = windows.get(key) ?? { calls: 0 }
      const isReached = window.calls >= rate.calls
      if (isCounted && window.calls++ === 0) windows.set(key, window, { ttl: rate.seconds * 1000 })
      if (isReached) return [index + 1, windows.getRemainingTTL(key)]
    }
    return []
  }
}
