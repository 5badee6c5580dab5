import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { attempt } from '#base/attempt'
import type { LastValue } from './writers-record.ts'

const beatMs = 5_000
/** A heartbeat that does not change for this long belongs to a dead process. */
const quietMs = 60_000
/** Characters of the counter, and of the number of lines. */
const numberLength = 16

const ending = '.heartbeat'
const pathOf = (folder: string, replica: string): string => join(folder, replica + ending)

export type Heartbeat = ReturnType<typeof createHeartbeat>

/**
 * The heartbeat of one writer in a folder with several writers, possibly on other machines.
 * Maintains a file `<replica>.heartbeat` whose counter changes every 5 seconds, with the writer's
 * last value. Process ids and clocks cannot tell a living writer: the first are local to containers,
 * the second may be wrong.
 */
export function createHeartbeat(folder: string) {
  const replica = randomBytes(6).toString('hex')
  const path = pathOf(folder, replica)
  let descriptor: number | undefined
  let count = 0
  let value = ''
  const timer = setInterval(beat, beatMs)
  timer.unref()
  beat()

  function beat(): void {
    try {
      if (descriptor !== undefined && fstatSync(descriptor).nlink === 0) release()
      if (descriptor === undefined) {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        descriptor = openSync(path, 'w', 0o600)
      }
      // Overwriting in place works on a full disk, too.
      writeSync(descriptor, String(++count).padStart(numberLength) + value, 0)
    } catch {
      // Writing lines fails for the same reason, and that error is reported.
      release()
    }
  }

  function release(): void {
    try {
      if (descriptor !== undefined) closeSync(descriptor)
    } catch {
      // It is closed already.
    }
    descriptor = undefined
  }

  return {
    /** The random name of this writer. */
    replica,
    /** Stores the value of the last line. Never throws. */
    note({ lines, last }: LastValue): void {
      value = String(lines).padStart(numberLength) + last
      try {
        if (descriptor !== undefined) writeSync(descriptor, value, numberLength)
      } catch {
        // The next beat stores it.
      }
    },
    /** The value of a heartbeat that stays is stored by the next writer that looks. */
    close({ stays }: { stays: boolean }): void {
      clearInterval(timer)
      release()
      if (stays) return
      try {
        rmSync(path, { force: true })
      } catch {
        // The folder is gone or read-only: other processes notice that the counter stands still.
      }
    },
  }
}

export type HeartbeatWatch = ReturnType<typeof watchHeartbeats>

/**
 * Detects which writers are alive. `now`: milliseconds of a monotonic clock. `onGone` stores the last
 * value of a dead one; if it throws, its heartbeat stays.
 */
export function watchHeartbeats(
  folder: string,
  now: () => number = () => performance.now(),
  onGone: (replica: string, last: LastValue) => void = () => {},
) {
  const beats = new Map<string, { count: string; at: number }>()
  return {
    /** All writers with a heartbeat file, alive or not. */
    replicas(): string[] {
      try {
        const names = readdirSync(folder).filter((name) => name.endsWith(ending))
        return names.map((name) => name.slice(0, -ending.length))
      } catch {
        return []
      }
    },
    /** False if a writer has no heartbeat, or its counter has not changed for a minute. */
    isAlive(replica: string): boolean {
      const path = pathOf(folder, replica)
      let count: string
      try {
        count = readFileSync(path, 'latin1')
      } catch (error) {
        beats.delete(replica)
        return (error as NodeJS.ErrnoException).code !== 'ENOENT'
      }
      const before = beats.get(replica)
      if (before === undefined || before.count !== count) {
        beats.set(replica, { count, at: now() })
        return true
      }
      if (now() - before.at < quietMs) return true
      beats.delete(replica)
      try {
        const last = valueIn(count)
        if (last) onGone(replica, last)
        unlinkSync(path)
      } catch {
        // Another process has removed it, or will.
      }
      return false
    },
  }
}

/** The last value of a writer that is alive, or was killed. */
export const readLastValue = (folder: string, replica: string): LastValue | undefined =>
  attempt(() => valueIn(readFileSync(pathOf(folder, replica), 'latin1')), undefined)

function valueIn(text: string): LastValue | undefined {
  const [, lines, last] = /^.{16}([ \d]{16})([0-9a-f]{32})$/.exec(text) ?? []
  return last === undefined ? undefined : { lines: Number(lines), last }
}
