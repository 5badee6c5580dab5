import type { Session } from '../protocol/request-context.ts'
import type { Instance } from '../upstream/instance.ts'

/** Sessions by the resources they subscribed to. */
export interface Subscribers {
  of(instance: Instance, uri: unknown): Iterable<Session>
  urisOf(instance: Instance): string[]
  /** Returns a function that undoes the change. */
  change(instance: Instance, session: Session, uri: string, isRequested: boolean): () => void
  /** Removes and returns the subscriptions of an instance. */
  take(instance: Instance): { uri: string; session: Session }[]
  /** Removes a session; returns the instances it had subscriptions at. */
  leave(session: Session): Instance[]
}

export function createSubscribers(): Subscribers {
  const followed = new Map<Instance, Map<string, Set<Session>>>()

  function set(instance: Instance, session: Session, uri: string, isRequested: boolean): void {
    const uris = followed.get(instance) ?? new Map<string, Set<Session>>()
    const sessions = uris.get(uri) ?? new Set()
    if (isRequested) sessions.add(session)
    else sessions.delete(session)
    if (sessions.size > 0) uris.set(uri, sessions)
    else uris.delete(uri)
    followed.set(instance, uris)
  }

  return {
    of: (instance, uri) => followed.get(instance)?.get(uri as string) ?? [],
    urisOf: (instance) => [...(followed.get(instance)?.keys() ?? [])],
    change(instance, session, uri, isRequested) {
      const was = followed.get(instance)?.get(uri)?.has(session) ?? false
      set(instance, session, uri, isRequested)
      return () => set(instance, session, uri, was)
    },
    take(instance) {
      const uris = followed.get(instance) ?? []
      followed.delete(instance)
      return [...uris].flatMap(([uri, sessions]) =>
        [...sessions].map((session) => ({ uri, session })),
      )
    },
    leave(session) {
      const left: Instance[] = []
      for (const [instance, uris] of followed)
        for (const uri of [...uris.keys()])
          if (uris.get(uri)?.has(session)) {
            set(instance, session, uri, false)
            if (!left.includes(instance)) left.push(instance)
          }
      return left
    },
  }
}
