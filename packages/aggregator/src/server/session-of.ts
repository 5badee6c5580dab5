import type { Server } from '@modelcontextprotocol/server'
import type { Access, Session } from '../protocol/exchange.ts'
import type { Era, Fields, Message } from '../protocol/message.ts'
import { verbatim } from '../protocol/verbatim.ts'

const sessions = new WeakMap<Server, Session>()

/** The client of a server's connection. */
export function sessionOf(server: Server, era: Era = 'modern', access?: Access): Session {
  const known = sessions.get(server)
  if (known) return known
  const notify = (message: Message): void =>
    void server.notification(message as never).catch(() => {})
  const ask = (message: Message, signal: AbortSignal): Promise<Fields> =>
    server.request(asked(message), verbatim, { signal, timeout: never })
  const session: Session = {
    id: crypto.randomUUID(),
    era,
    access,
    get capabilities() {
      return server.getClientCapabilities() ?? {}
    },
    notify,
    ...(era === 'legacy' && { ask }),
  }
  sessions.set(server, session)
  return session
}

/** Limits of time are those of the client. */
export const never: number = 2 ** 31 - 1

/** A URL to visit has an id in 2025, which later servers do not give. */
export function asked({ method, params }: Message): { method: string; params?: Fields } {
  const needsId = params?.['mode'] === 'url' && params['elicitationId'] === undefined
  if (!needsId) return { method, ...(params && { params }) }
  return { method, params: { ...params, elicitationId: crypto.randomUUID() } }
}
