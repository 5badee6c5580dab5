import type { Session } from '../protocol/request-context.ts'
import type { Instance } from '../upstream/instance.ts'

export type Subscribers = ReturnType<typeof createSubscribers>

/** Sessions by the resources they subscribed to. */
export function createSubscribers() {
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
    of: (instance: Instance, uri: unknown): Iterable<Session> =>
      followed.get(instance)?.get(uri as string) ?? [],
    urisOf: (instance: Instance): string[] => [...(followed.get(instance)?.keys() ?? [])],
    /** Returns a function that undoes the change. */
    change(instance: Instance, session: Session, uri: string, isRequested: boolean): () => void {
      const was = followed.get(instance)?.get(uri)?.has(session) ?? false
      set(instance, session, uri, isRequested)
      return () => set(instance, session, uri, was)
    },
    /** Removes and returns the subscriptions of an instance. */
    take(instance: Instance): { uri: string; session: Session }[] {
      const uris = followed.get(instance) ?? []
      followed.delete(instance)
      return [...uris].flatMap(([uri, sessions]) =>
        [...sessions].map((session) => ({ uri, session })),
      )
    },
    /** Removes a session; returns the instances it had subscriptions at. */
    leave(session: Session): Instance[] {
      const left: Instance[] = []
      for (const [instance, uris] of followed) {
        const own = [...uris].filter(([, sessions]) => sessions.has(session))
        for (const [uri] of own) set(instance, session, uri, false)
        if (own.length > 0) left.push(instance)
      }
      return left
    },
  }
}
