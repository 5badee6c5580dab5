import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { JsonObject } from '../protocol/message.ts'
import { metaKeys } from '../protocol/meta-keys.ts'
import type { Access, Session } from '../protocol/request-context.ts'
import type { Incoming } from './subscription-streams.ts'

/** Sessions for clients without one, whose requests are independent. */
export interface Callers {
  /** Assigns a request to a session. */
  note(request: Request, message: Incoming, clientId: string | undefined, access?: Access): void
  of(request: Request): Session | undefined
}

const maxCallers = 1_000

/** Identified by what they call themselves, and by what the HTTP endpoint knows of them. */
export function createCallers(onForgotten: (session: Session) => void): Callers {
  const sessions = new LRUCache<string, Session>({
    max: maxCallers,
    dispose: (session, _key, reason) => reason !== 'set' && onForgotten(session),
  })
  const requests = new WeakMap<Request, Session>()
  return {
    note(request, { params }, clientId = '', access) {
      const meta = (params?.['_meta'] ?? {}) as JsonObject
      const agent = request.headers.get('user-agent')
      const key = JSON.stringify([
        clientId,
        access?.caller,
        access?.profile,
        agent,
        meta[metaKeys.clientInfo],
      ])
      const id = createHash('sha256').update(key).digest('hex')
      const session = sessions.get(id) ?? callerOf(id, access)
      if (!sessions.has(id)) sessions.set(id, session)
      requests.set(request, session)
    },
    of: (request) => requests.get(request),
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
