/** After how many failures in a row a server is said to be down. */
const opensAfter = 5
const firstPauseMs = 250
const longestPauseMs = 60_000

/** Remembers failures in a row, and how long to leave a server alone after them. */
export interface CircuitBreaker {
  succeeded(): void
  failed(): void
  /** Failures since the last success. */
  readonly failures: number
  readonly isOpen: boolean
  /** Milliseconds until the next try; the first failure is tried again at once. */
  waitMs(): number
}

/** Exponential backoff with jitter, and the breaker it becomes. `now`: of a clock that nobody sets. */
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
      const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 2))
      until = now() + pause * (0.5 + random() / 2)
    },
    get failures() {
      return failures
    },
    get isOpen() {
      return failures >= opensAfter
    },
    waitMs: () => Math.max(0, until - now()),
  }
}
