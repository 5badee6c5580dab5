import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { chmod, open, readFile, rename, rm } from 'node:fs/promises'

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

/** The bytes of a file; undefined if it does not exist. */
export async function bytesOf(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const areSame = (one: Buffer | undefined, other: Buffer | undefined): boolean =>
  one === undefined || other === undefined ? one === other : one.equals(other)

/** Another process has changed the file. */
export class FileChanged extends Error {
  override readonly name = 'FileChanged'
}

/**
 * Replaces a file atomically, if it has not changed since it was read. `path` must not be a link.
 *
 * @throws {FileChanged} and errors of the file system
 */
export async function replaceUnchanged(
  path: string,
  bytes: Buffer,
  { before, mode }: { before: Buffer | undefined; mode: number },
): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.pith`
  const file = await open(draft, 'wx', 0o600)
  try {
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await chmod(draft, mode)
    if (!areSame(await bytesOf(path), before))
      throw new FileChanged('it was changed in the meantime')
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
