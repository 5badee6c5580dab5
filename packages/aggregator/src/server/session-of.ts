import type { Server } from '@modelcontextprotocol/server'
import { abortSignalOf, type Cancellable } from '#servers/protocol/cancellation'
import type { Era, JsonObject, Message } from '#servers/protocol/message'
import type { Access, Session } from '#servers/protocol/request-context'
import { verbatim } from '#servers/protocol/verbatim'

const sessions = new WeakMap<Server, Session>()

/** The session of a server's connection. */
export function sessionOf(server: Server, era: Era = 'modern', access?: Access): Session {
  const cached = sessions.get(server)
  if (cached) return cached
  const notify = (message: Message): void =>
    void server.notification(message as never).catch(() => {})
  const ask = requestOf(server)
  const session: Session = {
    id: crypto.randomUUID(),
    era,
    since: new Date().toISOString(),
    access,
    get capabilities() {
      return server.getClientCapabilities() ?? {}
    },
    clientName: () => server.getClientVersion()?.name,
    notify,
    ...(era === 'legacy' && { ask }),
  }
  sessions.set(server, session)
  return session
}

/** Sends requests to the client of a server, on a stream if one is named. */
export const requestOf =
  (server: Server) =>
  (message: Message, signal: Cancellable, stream?: string): Promise<JsonObject> =>
    server.request(requested(message), verbatim, {
      signal: abortSignalOf(signal),
      timeout: never,
      ...(stream !== undefined && { relatedRequestId: stream }),
    })

/** The SDK's timeout is off: clients have their own. */
export const never: number = 2 ** 31 - 1

/** A URL elicitation of 2025 has an id, which later servers do not send. */
export function requested({ method, params }: Message): { method: string; params?: JsonObject } {
  const needsId = params?.['mode'] === 'url' && params['elicitationId'] === undefined
  if (!needsId) return { method, ...(params && { params }) }
  return { method, params: { ...params, elicitationId: crypto.randomUUID() } }
}
