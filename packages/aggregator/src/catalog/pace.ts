/** How often something is done that others ask for, and that keeps everyone waiting. */
export interface Pace {
  /** Somebody asks. After a quiet time the next turn comes at once. */
  asked(): void
  /** Do it when its turn comes. The more turns there were without a quiet time, the later. */
  run<T>(work: () => Promise<T>): Promise<T>
}

interface PaceOptions {
  /** Milliseconds after the first turn; doubled with each. */
  firstPauseMs?: number
  longestPauseMs?: number
  /** Without anyone asking. */
  quietMs?: number
}

/** After these, what keeps the process busy is followed by so much more of a pause. */
const lightTurns = 3
const timesBusy = 15
const longestAfterBusyMs = 60_000

export function createPace({
  firstPauseMs = 100,
  longestPauseMs = 5_000,
  quietMs = 10_000,
}: PaceOptions = {}): Pace {
  let turns = 0
  let askedAt = Number.NEGATIVE_INFINITY
  let nextAt = 0
  return {
    asked() {
      const now = performance.now()
      if (now - askedAt > quietMs && now > nextAt) turns = 0
      askedAt = now
    },
    async run(work) {
      for (let wait = nextAt - performance.now(); wait > 0; wait = nextAt - performance.now())
        await sleep(wait)
      const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** turns++)
      // Whoever else waits comes after this turn.
      nextAt = performance.now() + pause
      const before = performance.eventLoopUtilization()
      try {
        return await work()
      } finally {
        const { active } = performance.eventLoopUtilization(before)
        const afterBusy = turns > lightTurns ? Math.min(longestAfterBusyMs, active * timesBusy) : 0
        nextAt = performance.now() + Math.max(pause, afterBusy)
      }
    },
  }
}

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, ms).unref())
