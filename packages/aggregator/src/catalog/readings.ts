import type { Connection } from '../upstream/connection/connection.ts'
import type { Instance } from '../upstream/instances.ts'
import { createPace, type Pace } from './pace.ts'

/** When the lists of servers are read. */
export interface Readings {
  /** Now, unless this conversation is being read. */
  confirm(instance: Instance, connection: Connection): Promise<void>
  /**
   * Once more from the beginning, since the server told of a change; later, if it tells of changes
   * again and again. The last change is always read.
   */
  refresh(instance: Instance, connection: Connection): Promise<void>
}

interface Reading {
  connection: Connection
  done: Promise<void>
}

export function createReadings(
  read: (instance: Instance, connection: Connection) => Promise<void>,
): Readings {
  const underWay = new Map<Instance, Reading>()
  const due = new Map<Instance, Reading>()
  const paces = new WeakMap<object, Pace>()

  function start(instance: Instance, connection: Connection): Promise<void> {
    const done = read(instance, connection).finally(() => {
      if (underWay.get(instance) === reading) underWay.delete(instance)
    })
    const reading = { connection, done }
    underWay.set(instance, reading)
    return done
  }

  /** The instances of a server share what it may cost. */
  function paceOf({ server }: Instance): Pace {
    const pace = paces.get(server) ?? createPace()
    paces.set(server, pace)
    return pace
  }

  return {
    confirm(instance, connection) {
      const reading = underWay.get(instance)
      return reading?.connection === connection ? reading.done : start(instance, connection)
    },
    refresh(instance, connection) {
      const pace = paceOf(instance)
      pace.asked()
      const waiting = due.get(instance)
      if (waiting) {
        waiting.connection = connection
        return waiting.done
      }
      const next = { connection, done: Promise.resolve() }
      due.set(instance, next)
      next.done = (async () => {
        await underWay.get(instance)?.done.catch(() => {})
        await pace.run(() => {
          // What it tells from here on may come too late for this reading.
          due.delete(instance)
          return start(instance, next.connection)
        })
      })()
      return next.done
    },
  }
}
