import { CleanError } from './clean-error.ts'

/**
 * Create a check that throws once more than `maxTime` milliseconds have passed.
 *
 * @throws {CleanError} `timed_out`, from the check.
 */
export function createTimeCheck(maxTime: number = 30_000): () => void {
  const started = performance.now()
  return () => {
    const taken = Math.round(performance.now() - started)
    if (!(taken <= maxTime))
      throw new CleanError(
        'timed_out',
        `Cleaning the page has taken ${taken} ms; the limit is ${maxTime}. Raise \`maxTime\` to clean it.`,
      )
  }
}
