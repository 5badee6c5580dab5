const firstPauseMs = 250
const maxPauseMs = 60_000

/** Counts consecutive failures and computes the backoff after them. */
export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>

/** Exponential backoff with jitter. `now` must be a monotonic clock. */
export function createCircuitBreaker(
  now: () => number = () => performance.now(),
  random: () => number = Math.random,
) {
  let failures = 0
  let until = 0
  let quietUntil = 0
  return {
    /** The server has asked for time: not even a call that finds it running is sent before. */
    beQuiet(ms = 0) {
      quietUntil = now() + ms
    },
    quietMs: () => Math.max(0, quietUntil - now()),
    succeeded() {
      failures = 0
      until = 0
    },
    /** `tookMs`: time that callers have waited in vain; no others wait until it has passed again. */
    failed(tookMs: number = 0) {
      failures++
      const doubled = failures < 2 ? 0 : firstPauseMs * 2 ** (failures - 2)
      const pause = Math.min(maxPauseMs, Math.max(doubled, tookMs))
      until = now() + pause * (0.5 + random() / 2)
    },
    /** Failures since the last success. */
    get failures() {
      return failures
    },
    /** Milliseconds until the next try; a first failure that took no time is retried immediately. */
    waitMs: () => Math.max(0, until - now()),
  }
}
