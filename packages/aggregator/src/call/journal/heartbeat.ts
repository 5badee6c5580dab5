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

const beatMs = 5_000
/** A heartbeat that does not move for so long is of a process that is gone. */
const quietMs = 60_000
const counterLength = 16

const ending = '.heartbeat'
const pathOf = (folder: string, replica: string): string => join(folder, replica + ending)

/** A sign of life of one writer in a folder that several write to, also from other machines. */
export interface Heartbeat {
  /** The random name of this writer. */
  readonly replica: string
  close(): void
}

/**
 * Keep a file `<replica>.heartbeat` whose counter moves every 5 seconds. Nothing else tells a living
 * writer: process ids are those of a container, and clocks are wrong.
 */
export function createHeartbeat(folder: string): Heartbeat {
  const replica = randomBytes(6).toString('hex')
  const path = pathOf(folder, replica)
  let descriptor: number | undefined
  let count = 0
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
      // Over itself: that works on a full disk, too.
      writeSync(descriptor, String(++count).padStart(counterLength), 0)
    } catch {
      // Writing lines fails as well then, and that error is reported.
      release()
    }
  }

  function release(): void {
    try {
      if (descriptor !== undefined) closeSync(descriptor)
    } catch {
      // It is closed.
    }
    descriptor = undefined
  }

  return {
    replica,
    close() {
      clearInterval(timer)
      release()
      try {
        rmSync(path, { force: true })
      } catch {
        // The folder is gone, or takes no changes: others see that it does not move.
      }
    },
  }
}

/** Tells which writers live. */
export interface HeartbeatWatch {
  /** True unless a writer has no heartbeat, or it was seen not to move for a minute. */
  isAlive(replica: string): boolean
  /** Those that have a heartbeat, moving or not. */
  replicas(): string[]
}

/** `now`: milliseconds of a clock that nobody sets. */
export function watchHeartbeats(
  folder: string,
  now: () => number = () => performance.now(),
): HeartbeatWatch {
  const seen = new Map<string, { count: string; at: number }>()
  return {
    replicas() {
      try {
        const names = readdirSync(folder).filter((name) => name.endsWith(ending))
        return names.map((name) => name.slice(0, -ending.length))
      } catch {
        return []
      }
    },
    isAlive(replica) {
      const path = pathOf(folder, replica)
      let count: string
      try {
        count = readFileSync(path, 'latin1')
      } catch (error) {
        seen.delete(replica)
        return (error as NodeJS.ErrnoException).code !== 'ENOENT'
      }
      const before = seen.get(replica)
      if (before === undefined || before.count !== count) {
        seen.set(replica, { count, at: now() })
        return true
      }
      if (now() - before.at < quietMs) return true
      seen.delete(replica)
      try {
        unlinkSync(path)
      } catch {
        // Another has removed it.
      }
      return false
    },
  }
}
