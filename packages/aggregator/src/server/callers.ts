import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type JsonObject, metaKeys } from '../protocol/message.ts'
import type { Access, Session } from '../protocol/request-context.ts'
import type { Incoming } from './subscription-streams.ts'

/** What clients with the same access and mode share. */
export const principalKey = ({ caller, profile, mode }: Access = {}): string =>
  JSON.stringify([caller, profile, mode])

/** Sessions for clients without one, whose requests are independent. */
export type Callers = ReturnType<typeof createCallers>

const maxCallers = 1_000

/** Identified by what they call themselves, and by what the HTTP endpoint knows of them. */
export function createCallers(onForgotten: (session: Session) => void) {
  const sessions = new LRUCache<string, Session, Access | undefined>({
    max: maxCallers,
    memoMethod: (id, _stale, { context: access }) => callerOf(id, access),
    dispose: (session, _key, reason) => reason !== 'set' && onForgotten(session),
  })
  const requests = new WeakMap<Request, Session>()
  return {
    /** Assigns a request to a session. */
    note(request: Request, { params }: Incoming, clientId = '', access?: Access): void {
      const meta = (params?.['_meta'] ?? {}) as JsonObject
      const agent = request.headers.get('user-agent')
      const key = JSON.stringify([clientId, principalKey(access), agent, meta[metaKeys.clientInfo]])
      const id = createHash('sha256').update(key).digest('hex')
      requests.set(request, sessions.memo(id, { context: access }))
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
