import { setTimeout as sleep } from 'node:timers/promises'
import { raceAbort } from '../protocol/race-abort.ts'

/** Ends the wait, not the work: a later search uses its result. */
export async function waitFor(
  work: Promise<void>,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const over = new AbortController()
  const patience =
    waitMs === Number.POSITIVE_INFINITY
      ? []
      : [sleep(waitMs, undefined, { signal: over.signal, ref: false }).catch(() => {})]
  try {
    await raceAbort(Promise.race([work, ...patience]), signal)
  } finally {
    over.abort()
  }
}
