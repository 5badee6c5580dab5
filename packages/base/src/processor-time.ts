import { readFileSync } from 'node:fs'
import { attempt } from './attempt.ts'
import { raceAbort } from './race-abort.ts'

/** Milliseconds of processor time of this process: no thread of it has used more. */
const processMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** The same of this thread, on Linux, where nanoseconds come first; elsewhere of the process. */
const spent = '/proc/thread-self/schedstat'
const threadMs = (): number =>
  attempt(() => Number.parseInt(readFileSync(spent, 'latin1'), 10) / 1e6, 0) || processMs()

/** True once this thread has used more milliseconds of processor time; a system call only then. */
export function createWorkLimit(limit: number, clock: () => number = threadMs): () => boolean {
  const since = performance.now()
  const before = clock()
  return () => performance.now() - since > limit && clock() - before > limit
}

/** Milliseconds between two looks at the clock. */
const lookMs = 200
/** Work that waits, or gets hardly any of the processor, ends after this many times its limit. */
const maxWait = 20

/**
 * A signal that aborts when the process has used so many milliseconds of processor time. On a busy
 * machine, a thread gets a part of each second only, and needs longer for the same work. It also
 * aborts when `isExceeded` is true of another limit.
 */
export function processorTimeout(
  limit: number,
  clock: () => number = processMs,
  isExceeded: () => boolean = () => false,
): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController()
  const started = clock()
  const latest = performance.now() + limit * maxWait
  const timer = setInterval(() => {
    const isLate = clock() - started >= limit || performance.now() > latest
    if (isLate || isExceeded()) controller.abort()
  }, lookMs)
  timer.unref()
  return { signal: controller.signal, clear: () => clearInterval(timer) }
}

/** Wait for work until the process has used so many milliseconds of processor time. */
export async function forProcessorTime(limit: number, work: Promise<unknown>): Promise<void> {
  const { signal, clear } = processorTimeout(limit)
  const onAbort = (error: unknown): void => {
    if (!signal.aborted) throw error
  }
  await raceAbort(work, signal).then(undefined, onAbort).finally(clear)
}
