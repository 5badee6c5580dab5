import type { Connection } from '#servers/connection/connection'
import { oncePer } from '#servers/protocol/once-per'
import type { Instance } from '../upstream/instance.ts'
import { createBackoff } from './backoff.ts'

interface Reading {
  connection: Connection
  done: Promise<void>
}

type Read = (instance: Instance, connection: Connection) => Promise<void>

/** Schedules when the lists of servers are read. */
export function createRefreshQueue(readLists: Read): { read: Read; refresh: Read } {
  const inProgress = new Map<Instance, Reading>()
  const due = new Map<Instance, Reading>()
  /** The instances of a server share one backoff. */
  const paceOf = oncePer((_server: Instance['server']) => createBackoff())

  function start(instance: Instance, connection: Connection): Promise<void> {
    const done = readLists(instance, connection).finally(() => {
      if (inProgress.get(instance) === reading) inProgress.delete(instance)
    })
    const reading = { connection, done }
    inProgress.set(instance, reading)
    return done
  }

  return {
    /** Reads now, unless this connection is being read already. */
    read(instance, connection) {
      const reading = inProgress.get(instance)
      return reading?.connection === connection ? reading.done : start(instance, connection)
    },
    /**
     * Reads again after a change notification; later if notifications repeat. The last change is
     * always read.
     */
    refresh(instance, connection) {
      const pace = paceOf(instance.server)
      pace.requested()
      const entry = due.get(instance)
      if (entry) {
        entry.connection = connection
        return entry.done
      }
      const next = { connection, done: Promise.resolve() }
      due.set(instance, next)
      next.done = (async () => {
        await inProgress.get(instance)?.done.catch(() => {})
        await pace.run(() => {
          // A change that is announced from here on may be missed by this read.
          due.delete(instance)
          return start(instance, next.connection)
        })
      })()
      return next.done
    },
  }
}
