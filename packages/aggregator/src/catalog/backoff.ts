import { setTimeout as sleep } from 'node:timers/promises'

/**
 * After these turns, the pause is also a multiple of the time that the work kept the process busy.
 */
const freeTurns = 3
const timesBusy = 15
const maxAfterBusyMs = 60_000

/**
 * Limits how often an expensive reaction to notifications runs. `firstPauseMs`: after the first
 * turn; doubled with each turn. `quietMs`: time without requests that resets the backoff.
 */
export function createBackoff({ firstPauseMs = 100, maxPauseMs = 5_000, quietMs = 10_000 } = {}) {
  let turns = 0
  let askedAt = Number.NEGATIVE_INFINITY
  let nextAt = 0
  return {
    /** Notes a request. After `quietMs` without one, the next turn starts immediately. */
    requested(): void {
      const now = performance.now()
      if (now - askedAt > quietMs && now > nextAt) turns = 0
      askedAt = now
    },
    /** Runs `work` when its turn comes; each turn without a quiet time waits longer. */
    async run<T>(work: () => Promise<T>): Promise<T> {
      for (let wait = nextAt - performance.now(); wait > 0; wait = nextAt - performance.now())
        await sleep(wait, undefined, { ref: false })
      const pause = Math.min(maxPauseMs, firstPauseMs * 2 ** turns++)
      // Others that wait come after this turn.
      nextAt = performance.now() + pause
      const before = performance.eventLoopUtilization()
      try {
        return await work()
      } finally {
        const { active } = performance.eventLoopUtilization(before)
        const afterBusy = turns > freeTurns ? Math.min(maxAfterBusyMs, active * timesBusy) : 0
        nextAt = performance.now() + Math.max(pause, afterBusy)
      }
    },
  }
}
