import { closeSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** Replaces a file atomically, readable by its owner only (mode 600). */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(draft, text, { mode: 0o600 })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Locks are held for milliseconds: an older one was left by a dead process. */
const staleMs = 2_000
const pauseMs = 5
const maxWaitMs = 4_000

/**
 * Runs `work` under a lock file; for files that are read before they are written. Short work only.
 * @throws {Error} if the lock is still held after a few seconds
 */
export function withLock<T>(path: string, work: () => T): T {
  const lock = `${path}.lock`
  const latest = performance.now() + maxWaitMs
  for (;;) {
    try {
      closeSync(openSync(lock, 'wx', 0o600))
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      removeIfStale(lock)
      if (performance.now() > latest) throw new Error(`${lock} is held by another process.`)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
    }
  }
  try {
    return work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function removeIfStale(lock: string): void {
  try {
    if (Math.abs(Date.now() - statSync(lock).mtimeMs) > staleMs) rmSync(lock, { force: true })
  } catch {
    // Its holder has removed it.
  }
}
