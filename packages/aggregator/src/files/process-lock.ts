import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { replaceFile, withLock } from './replace-file.ts'

/** A lock that may be held for as long as its holder lives. */
export interface ProcessLock {
  /** Whether nobody took it for left behind, such as while the machine slept. */
  isHeld(): boolean
  /** What others can read while it is held. */
  note(text: string): void
  release(): void
}

const beatMs = 1_000
/** Who gives no sign of life for so long is gone. Numbers of processes say nothing across containers. */
const staleMs = 10_000
const pauseMs = 20

/** Undefined while another holds it. */
export function tryLock(path: string): ProcessLock | undefined {
  const owner = randomUUID()
  if (!create(path, owner) && !(removeIfStale(path) && create(path, owner))) return undefined
  const isHeld = (): boolean => textOf(path)?.split('\n', 1)[0] === owner
  const beating = setInterval(() => {
    try {
      const now = new Date()
      if (isHeld()) utimesSync(path, now, now)
    } catch {
      // The next beat may reach it.
    }
  }, beatMs)
  beating.unref()
  return {
    isHeld,
    note(text) {
      if (isHeld()) replaceFile(path, `${owner}\n${text}`)
    },
    release() {
      clearInterval(beating)
      if (isHeld()) rmSync(path, { force: true })
    },
  }
}

/** @throws when it was not to be had in time */
export async function lock(path: string, longestMs: number): Promise<ProcessLock> {
  const end = performance.now() + longestMs
  for (;;) {
    const held = tryLock(path)
    if (held !== undefined) return held
    if (performance.now() > end)
      throw new Error(`${path} was held by another for ${longestMs / 1000} s`)
    await pause(pauseMs)
  }
}

/** What its holder says. */
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

/** One at a time: a second one would remove what the first then created. */
function removeIfStale(path: string): boolean {
  if (!isStale(path)) return false
  return withLock(path, () => {
    if (!isStale(path)) return false
    rmSync(path, { force: true })
    return true
  })
}

function isStale(path: string): boolean {
  try {
    return Math.abs(Date.now() - statSync(path).mtimeMs) > staleMs
  } catch {
    return false
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
