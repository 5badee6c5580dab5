import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { attempt } from '#base/attempt'
import { replaceFile, withLock } from '#base/replace-file'

const beatMs = 1_000
/** Age of a stale lock. Process ids cannot tell: containers have their own. */
const staleMs = 10_000
const pauseMs = 20

/**
 * A lock file held for as long as its process lives. Returns undefined if another process holds it.
 */
export function tryLock(path: string) {
  const owner = randomUUID()
  if (!create(path, owner) && !(removeIfStale(path) && create(path, owner))) return undefined
  const isHeld = (): boolean => textOf(path)?.split('\n', 1)[0] === owner
  const beating = setInterval(() => {
    try {
      const now = new Date()
      if (isHeld()) utimesSync(path, now, now)
    } catch {
      // The next beat tries again.
    }
  }, beatMs)
  beating.unref()
  return {
    /** False if another process took the lock over as stale, for example while the machine slept. */
    isHeld,
    /** Stores a text in the lock file for other processes. */
    note(text: string) {
      if (isHeld()) replaceFile(path, `${owner}\n${text}`, { isDurable: false })
    },
    release() {
      clearInterval(beating)
      if (isHeld()) rmSync(path, { force: true })
    },
  }
}

/** @throws {Error} if the lock is still held after `maxAgeMs` */
export async function lock(path: string, maxAgeMs: number) {
  const end = performance.now() + maxAgeMs
  for (;;) {
    const handle = tryLock(path)
    if (handle !== undefined) return handle
    if (performance.now() > end)
      throw new Error(`${path} was held by another process for ${maxAgeMs / 1000} s.`)
    await pause(pauseMs)
  }
}

/** The text that the holder stored in the lock file. */
export const noteOf = (path: string): string => textOf(path)?.split('\n').slice(1).join('\n') ?? ''

function create(path: string, owner: string): boolean {
  try {
    writeFileSync(path, owner, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/**
 * Under a lock of its own: a second remover would delete the file that the first one just created.
 */
function removeIfStale(path: string): boolean {
  if (!isStale(path)) return false
  return withLock(path, () => {
    if (!isStale(path)) return false
    rmSync(path, { force: true })
    return true
  })
}

const isStale = (path: string): boolean =>
  attempt(() => Math.abs(Date.now() - statSync(path).mtimeMs) > staleMs, false)

const textOf = (path: string): string | undefined =>
  attempt(() => readFileSync(path, 'utf8'), undefined)
