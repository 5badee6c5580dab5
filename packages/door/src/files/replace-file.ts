import {
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'

/** A file that is replaced whole and on the disk then; only its owner reads it. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`
  try {
    const descriptor = openSync(draft, 'w', 0o600)
    try {
      writeFileSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Nobody holds a lock for long; one that is older was left behind. */
const staleMs = 2_000
const pauseMs = 5

/**
 * One process at a time; changes of a file that is read before it is written. Short work only.
 * @throws {Error} when the lock is not to be had within `longestWaitMs`
 */
export function withLock<T>(path: string, work: () => T, longestWaitMs: number = 4_000): T {
  const lock = `${path}.lock`
  const latest = performance.now() + longestWaitMs
  for (;;) {
    try {
      closeSync(openSync(lock, 'wx', 0o600))
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      removeIfStale(lock)
      if (performance.now() >= latest) throw new Error(`${lock} is held by another process`)
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
