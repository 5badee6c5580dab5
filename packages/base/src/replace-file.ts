import {
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'

/**
 * Replaces a file atomically, readable by its owner only (mode 600). A durable file survives a
 * power failure; that costs a synchronous wait for the disk.
 */
export function replaceFile(
  path: string,
  text: string,
  { isDurable = true }: { isDurable?: boolean } = {},
): void {
  const draft = `${path}.${process.pid}.tmp`
  try {
    const descriptor = openSync(draft, 'w', 0o600)
    try {
      writeFileSync(descriptor, text)
      if (isDurable) fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Locks are held for milliseconds: an older one was left by a dead process. */
const staleMs = 2_000
const pauseMs = 5

/**
 * Runs `work` under a lock file; for files that are read before they are written. Short work only.
 * @throws {Error} if the lock is still held after `maxWaitMs`
 */
export function withLock<T>(path: string, work: () => T, maxWaitMs: number = 4_000): T {
  const lock = `${path}.lock`
  const latest = performance.now() + maxWaitMs
  for (;;) {
    try {
      closeSync(openSync(lock, 'wx', 0o600))
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      removeIfStale(lock)
      if (performance.now() >= latest) throw new Error(`${lock} is held by another process.`)
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
