import { createHash, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { SealedHandles } from '../call/stages/sealed-handles.ts'
import type { JsonObject } from '../protocol/message.ts'
import { type Access, type Session, sessionKey } from '../protocol/request-context.ts'
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
  // By owner: one caller cannot end the sessions of others.
  const owners = new LRUCache<string, LRUCache<string, Session, Session>>({
    max: maxCallers,
    ttl: idleMs,
    updateAgeOnGet: true,
    memoMethod: () =>
      new LRUCache<string, Session, Session>({
        max: maxSessions,
        memoMethod: (_id, _stale, { context: session }) => session,
        dispose: (session, _key, reason) => reason !== 'set' && onForgotten(session),
      }),
    dispose: (sessions) => sessions.clear(),
  })
  const requests = new WeakMap<Request, Session>()
  return {
    /** Assigns a request to a session. False if its handle is not valid. */
    note(request: Request, { params }: Incoming, clientId = '', access?: Access) {
      const principal = JSON.stringify([
        access?.caller === undefined ? clientId : '',
        principalKey(access),
      ])
      const owner = createHash('sha256').update(principal).digest('hex')
      const sessions = owners.memo(owner)
      const handle = ((params?.['_meta'] ?? {}) as JsonObject)[sessionKey]
      const id = typeof handle === 'string' ? handles.open(handle, principal) : owner
      if (id === undefined) return false
      const session: Session = {
        ...callerOf(id, access),
        owner: access?.caller ?? clientId,
        ...(id === owner && {
          sharedBy: access?.caller === undefined ? ('address' as const) : ('credential' as const),
        }),
        issueHandle: () => handles.seal(randomUUID(), principal),
      }
      requests.set(request, sessions.memo(id, { context: session }))
      return true
    },
    of: (request: Request): Session | undefined => requests.get(request),
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
