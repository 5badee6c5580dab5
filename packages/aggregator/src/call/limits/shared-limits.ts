import type { RateLimiterFactory } from './rate-limiter.ts'

/** Limits that several processes count together. */
export interface SharedLimits {
  count: RateLimiterFactory
  /** Tokens that the results of a session took, and what it takes now. */
  spent(session: string): Promise<number>
  spend(session: string, tokens: number): void
  /**
   * Waits for one of `max` slots, for at most as long as `signal` allows. Resolves to a function that
   * frees it. The slots of a process that has ended are free soon.
   */
  acquire(key: string, max: number, signal: AbortSignal): Promise<() => void>
  close(): void
}
