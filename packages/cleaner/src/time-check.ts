import { CleanError } from './clean-error.ts'

/**
 * Create a check that throws once cleaning has taken more than `maxTime` milliseconds of processor
 * time: on a busy machine, other processes use the rest.
 *
 * @throws {CleanError} `timed_out`, from the check.
 */
export function createTimeCheck(
  maxTime: number = 30_000,
  clock: () => number = createClock(maxTime),
): () => void {
  const started = clock()
  return () => {
    const elapsed = Math.round(clock() - started)
    if (!(elapsed <= maxTime))
      throw new CleanError(
        'timed_out',
        `Cleaning the page has taken ${elapsed} ms; the limit is ${maxTime}. Raise \`maxTime\` to clean it.`,
      )
  }
}

/**
 * Milliseconds since the call, or of processor time of the process if these are fewer: a thread has
 * used neither more than the one nor than the other. Without Node, and within the limit, which needs no
 * system call, there is only the former.
 */
function createClock(maxTime: number): () => number {
  const { process } = globalThis as { process?: NodeJS.Process }
  const since = performance.now()
  const before = process?.cpuUsage?.()
  return () => {
    const passed = performance.now() - since
    if (!before || passed <= maxTime) return passed
    const { user, system } = process?.cpuUsage(before) ?? { user: 0, system: 0 }
    return Math.min(passed, (user + system) / 1_000)
  }
}
