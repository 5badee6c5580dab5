import { Cancellation } from '#servers/protocol/cancellation'
import { isJsonObject } from '#servers/protocol/message'
import type { Session } from '#servers/protocol/request-context'
import type { Aggregator } from './aggregator-options.ts'
import type { Id, PlainRequest } from './plain-request.ts'
import { replyText } from './reply-text.ts'

/** Answers plain requests of one client over stdio. */
export type StdioRequests = ReturnType<typeof createStdioRequests>

interface StdioRequestsOptions {
  session: Session
  /** The SDK answers requests in order: what the client declares comes with the first. */
  isInitialized: () => boolean
  send: (text: string) => void
}

export function createStdioRequests(
  { answer, requests, identity }: Aggregator,
  { session, isInitialized, send }: StdioRequestsOptions,
) {
  const { era } = session
  const running = new Map<Id, Cancellation>()
  const unreachable = () => Promise.reject(new Error('The client cannot be asked.'))

  async function run(request: PlainRequest): Promise<void> {
    const { id, meta, envelope } = request
    const signal = new Cancellation()
    running.set(id, signal)
    const reply = await answer(session, request, {
      signal,
      meta,
      envelope,
      notify: (message) => send(JSON.stringify({ jsonrpc: '2.0', ...message })),
      ask: session.ask ?? unreachable,
    }).then(
      (result) => ({ result }),
      (error) => ({ error }),
    )
    if (running.get(id) === signal) running.delete(id)
    if (!signal.aborted) send(replyText(request, reply, era, identity))
  }

  return {
    /** False if the message is left to the SDK. */
    receive(message: object) {
      const { method, params } = message as { method?: unknown; params?: unknown }
      if (method === 'notifications/cancelled' && isJsonObject(params))
        running.get(params['requestId'] as Id)?.abort(params['reason'])
      const request = requests.read(message, era)
      if (request === undefined || !isInitialized()) return false
      void run(request)
      return true
    },
    /** Cancels all requests. */
    close() {
      for (const signal of running.values()) signal.abort()
    },
  }
}
