const firstPauseMs = 250
const maxPauseMs = 60_000

/** Counts consecutive failures and computes the backoff after them. */
export interface CircuitBreaker {
  succeeded(): void
  failed(): void
  /** Failures since the last success. */
  readonly failures: number
  /** Milliseconds until the next try; the first failure is retried immediately. */
  waitMs(): number
}

/** Exponential backoff with jitter. `now` must be a monotonic clock. */
export function createCircuitBreaker(
  now: () => number = () => performance.now(),
  random: () => number = Math.random,
): CircuitBreaker {
  let failures = 0
  let until = 0
  return {
    succeeded() {
      failures = 0
      until = 0
    },
    failed() {
      failures++
      if (failures < 2) return
      const pause = Math.min(maxPauseMs, firstPauseMs * 2 ** (failures - 2))
      until = now() + pause * (0.5 + random() / 2)
    },
    get failures() {
      return failures
    },
    waitMs: () => Math.max(0, until - now()),
  }
}
