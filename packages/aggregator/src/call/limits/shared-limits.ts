import type { RateLimiter } from './rate-limiter.ts'

/** Limits that several processes count together. */
export interface SharedLimits {
  count: RateLimiter
  /** Tokens that the results of a session took. */
  spent(session: string): Promise<number>
  /** Adds what a result takes. */
  spend(session: string, tokens: number): void
  /**
   * Waits for one of `max` slots, for at most as long as `signal` allows. Resolves to a function
   * that frees it. The slots of a process that has ended are free soon.
   */
  acquire(name: string, max: number, signal: AbortSignal): Promise<() => void>
  close(): void
}
