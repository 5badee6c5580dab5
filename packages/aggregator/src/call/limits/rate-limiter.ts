import { LRUCache } from 'lru-cache'
import type { Claim } from '#servers/protocol/request-context'

/**
 * Counts a call against each rate, in order, until one is reached. Resolves to the number of that
 * one, from 1, and the milliseconds to wait; to `[]` if none is.
 */
export type RateLimiter = (claims: readonly Claim[]) => Promise<number[]>

/** Counts in this process. */
export function inMemoryRateLimiter(): RateLimiter {
  const windows = new LRUCache<string, { calls: number }>({ ttl: 1, ttlAutopurge: true })
  return async (claims) => {
    for (const [index, { key, rate }] of claims.entries()) {
      const window = windows.get(key) ?? { calls: 0 }
      if (window.calls++ === 0) windows.set(key, window, { ttl: rate.seconds * 1000 })
      if (window.calls > rate.calls) return [index + 1, windows.getRemainingTTL(key)]
    }
    return []
  }
}
