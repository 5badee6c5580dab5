import type { Session } from '../protocol/exchange.ts'
import type { Instance } from '../upstream/instances.ts'

/** Which clients want to hear of which resources. */
export interface Followers {
  of(instance: Instance, uri: unknown): Iterable<Session>
  urisOf(instance: Instance): string[]
  /** Gives the way back. */
  change(instance: Instance, session: Session, uri: string, isWanted: boolean): () => void
  /** What is followed of an instance, which is then forgotten. */
  take(instance: Instance): { uri: string; session: Session }[]
  /** The instances a client followed something of. */
  leave(session: Session): Instance[]
}

export function createFollowers(): Followers {
  const followed = new Map<Instance, Map<string, Set<Session>>>()

  function set(instance: Instance, session: Session, uri: string, isWanted: boolean): void {
    const uris = followed.get(instance) ?? new Map<string, Set<Session>>()
    const sessions = uris.get(uri) ?? new Set()
    if (isWanted) sessions.add(session)
    else sessions.delete(session)
    if (sessions.size > 0) uris.set(uri, sessions)
    else uris.delete(uri)
    followed.set(instance, uris)
  }

  return {
    of: (instance, uri) => followed.get(instance)?.get(uri as string) ?? [],
    urisOf: (instance) => [...(followed.get(instance)?.keys() ?? [])],
    change(instance, session, uri, isWanted) {
      const was = followed.get(instance)?.get(uri)?.has(session) ?? false
      set(instance, session, uri, isWanted)
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
