import { createHash, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { JsonObject } from '#servers/protocol/message'
import { type Access, type Session, sessionKey } from '#servers/protocol/request-context'
import type { SealedHandles } from '../call/stages/sealed-handles.ts'
import type { Incoming } from './subscription-streams.ts'

/** What clients with the same access and mode share. */
export const principalKey = ({ caller, profile, mode }: Access = {}): string =>
  JSON.stringify([caller, profile, mode])

/** Sessions for clients without one, whose requests are independent. */
export type Callers = ReturnType<typeof createCallers>

const maxCallers = 10_000
/** Of one caller; the least recently used one ends. */
const maxSessions = 100
/** Milliseconds without requests after which such a session ends. */
const idleMs = 8 * 3_600_000

/**
 * Known by a handle that we issued, else by their credential, else by their address. What a client
 * says of itself is never a key: it could be anybody, or as many as it likes.
 */
export function createCallers(handles: SealedHandles, onForgotten: (session: Session) => void) {
  // By principal: one caller cannot end the sessions of others.
  const principals = new LRUCache<string, { owner: string; sessions: LRUCache<string, Session> }>({
    max: maxCallers,
    ttl: idleMs,
    updateAgeOnGet: true,
    memoMethod: (principal) => ({
      owner: createHash('sha256').update(principal).digest('hex'),
      sessions: new LRUCache<string, Session>({
        max: maxSessions,
        dispose: (session, _key, reason) => reason !== 'set' && onForgotten(session),
      }),
    }),
    dispose: ({ sessions }) => sessions.clear(),
  })
  return {
    /** The session of a request. Undefined if its handle is not valid. */
    sessionOf({ params }: Incoming, clientId = '', access?: Access): Session | undefined {
      const isNamed = access?.caller !== undefined
      const principal = JSON.stringify([isNamed ? '' : clientId, principalKey(access)])
      const { owner, sessions } = principals.memo(principal)
      const handle = ((params?.['_meta'] ?? {}) as JsonObject)[sessionKey]
      const id = typeof handle === 'string' ? handles.open(handle, principal) : owner
      if (id === undefined) return undefined
      const open = sessions.get(id)
      if (open !== undefined) return open
      const session: Session = {
        ...callerOf(id, access),
        owner: access?.caller ?? clientId,
        ...(id === owner && { sharedBy: isNamed ? 'credential' : 'address' }),
        issueHandle: () => handles.seal(randomUUID(), principal),
      }
      sessions.set(id, session)
      return session
    },
  }
}

/** List changes go to its subscription streams; everything else is sent with its requests. */
const callerOf = (id: string, access: Access | undefined): Session => ({
  id,
  era: 'modern',
  access,
  capabilities: {},
  notify() {},
})
