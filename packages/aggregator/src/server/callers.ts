import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Access, Session } from '../protocol/exchange.ts'
import type { Fields } from '../protocol/message.ts'
import { metaKeys } from '../protocol/meta-keys.ts'
import type { Incoming } from './listening.ts'

/** Clients that come without a session, each request by itself. */
export interface Callers {
  /** Whose request it is. */
  note(request: Request, message: Incoming, clientId: string | undefined, access?: Access): void
  of(request: Request): Session | undefined
}

const mostCallers = 1_000

/** By what they call themselves, and by what the door knows of them. */
export function createCallers(onForgotten: (session: Session) => void): Callers {
  const sessions = new LRUCache<string, Session>({
    max: mostCallers,
    dispose: (session, _key, reason) => reason !== 'set' && onForgotten(session),
  })
  const requests = new WeakMap<Request, Session>()
  return {
    note(request, { params }, clientId = '', access) {
      const meta = (params?.['_meta'] ?? {}) as Fields
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

/** It is told of changes by what it listens to, and of all else with its requests. */
const callerOf = (id: string, access: Access | undefined): Session => ({
  id,
  era: 'modern',
  access,
  capabilities: {},
  notify() {},
})
