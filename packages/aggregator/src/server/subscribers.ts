import type { Session } from '#servers/protocol/request-context'
import type { Instance } from '../upstream/instance.ts'

export type Subscribers = ReturnType<typeof createSubscribers>

/** Sessions by the resources they subscribed to, each with the URI by which it knows the resource. */
export function createSubscribers() {
  const subscriptions = new Map<Instance, Map<string, Map<Session, string>>>()

  function set(instance: Instance, session: Session, uri: string, alias: string | undefined): void {
    const uris = subscriptions.get(instance) ?? new Map<string, Map<Session, string>>()
    const sessions = uris.get(uri) ?? new Map<Session, string>()
    if (alias !== undefined) sessions.set(session, alias)
    else sessions.delete(session)
    if (sessions.size > 0) uris.set(uri, sessions)
    else uris.delete(uri)
    subscriptions.set(instance, uris)
  }

  return {
    of: (instance: Instance, uri: unknown): Iterable<[Session, string]> =>
      subscriptions.get(instance)?.get(uri as string) ?? [],
    urisOf: (instance: Instance): string[] => [...(subscriptions.get(instance)?.keys() ?? [])],
    /** Subscribes, or unsubscribes without `alias`. Returns a function that undoes the change. */
    change(instance: Instance, session: Session, uri: string, alias?: string): () => void {
      const was = subscriptions.get(instance)?.get(uri)?.get(session)
      set(instance, session, uri, alias)
      return () => set(instance, session, uri, was)
    },
    /** Removes and returns the subscriptions of an instance. */
    take(instance: Instance): { uri: string; alias: string; session: Session }[] {
      const uris = subscriptions.get(instance) ?? []
      subscriptions.delete(instance)
      return [...uris].flatMap(([uri, sessions]) =>
        [...sessions].map(([session, alias]) => ({ uri, alias, session })),
      )
    },
    /** Removes a session; returns the instances it had subscriptions at. */
    leave(session: Session): Instance[] {
      const instances: Instance[] = []
      for (const [instance, uris] of subscriptions) {
        const entries = [...uris].filter(([, sessions]) => sessions.has(session))
        for (const [uri] of entries) set(instance, session, uri, undefined)
        if (entries.length > 0) instances.push(instance)
      }
      return instances
    },
  }
}
