import { type Cancellable, Cancellation } from '#servers/protocol/cancellation'
import { type JsonObject, type Message, rpcCodes } from '#servers/protocol/message'
import type { Session } from '#servers/protocol/request-context'
import { type Resolvers, withResolvers } from '#servers/protocol/with-resolvers'
import type { Aggregator } from './aggregator-options.ts'
import type { HttpReply } from './http-reply.ts'
import type { PlainRequest } from './plain-request.ts'
import { replyText } from './reply-text.ts'

/**
 * Milliseconds after which a reply becomes a stream. One of 2025 can then be resumed; one of 2026
 * cannot, and is kept open only.
 */
const streamAfterMs = { legacy: 1_000, modern: 15_000 }

/** Sends a request to the client of a session of 2025, on a stream if one is named. */
export type AskClient = (
  message: Message,
  signal: Cancellable,
  stream?: string,
) => Promise<JsonObject>

interface Running {
  signal: Cancellation
  reply: HttpReply
  /** Resolves when the key can be used again. */
  isOver: Resolvers<void>
}

/**
 * Answers plain requests over HTTP. The SDK would open a stream, and in 2026 a server, for each.
 * Keys are ids in a session of 2025, else the messages themselves.
 */
export class HttpRequests {
  readonly #aggregator: Aggregator
  readonly #ask: AskClient | undefined
  readonly #running = new Map<unknown, Running>()

  /** Without `ask`, the client is asked by the results of its requests. */
  constructor(aggregator: Aggregator, ask?: AskClient) {
    this.#aggregator = aggregator
    this.#ask = ask
  }

  /** Resolves after the reply. */
  async answer(
    key: unknown,
    request: PlainRequest,
    session: Session,
    reply: HttpReply,
  ): Promise<void> {
    // Ids are unique by specification, but not in all clients.
    for (let same = this.#running.get(key); same; same = this.#running.get(key))
      await same.isOver.promise
    const { era } = session
    const signal = new Cancellation()
    const isOver = withResolvers()
    this.#running.set(key, { signal, reply, isOver })
    // A request of 2025 goes on without its connection.
    if (era === 'modern')
      reply.onClose(() => signal.abort(new Error('The client has closed the response.')))
    const timer = setTimeout(() => reply.open(), streamAfterMs[era])
    const { meta, envelope } = request
    const notify = (message: Message): void => reply.send(message)
    const ask = (message: Message, until: Cancellable): Promise<JsonObject> =>
      this.#askOn(reply, message, until)
    const received = { signal, meta, envelope, notify, ask }
    const answered = await this.#aggregator.answer(session, request, received).then(
      (result) => ({ result, status: 200 }),
      (error) => ({
        error,
        status: era === 'modern' && error?.code === rpcCodes.missingCapability ? 400 : 200,
      }),
    )
    clearTimeout(timer)
    this.#running.delete(key)
    isOver.resolve()
    reply.end(replyText(request, answered, era, this.#aggregator.identity), answered.status)
  }

  cancel(key: unknown, reason: unknown): void {
    this.#running.get(key)?.signal.abort(reason)
  }

  /** The reply that has a stream. */
  replyOf(stream: unknown): HttpReply | undefined {
    if (stream === undefined) return undefined
    return [...this.#running.values()].find(({ reply }) => reply.id === stream)?.reply
  }

  /** Ends all that is running. */
  close(): void {
    for (const { signal, reply } of this.#running.values()) {
      signal.abort(new Error('The session has ended.'))
      reply.close()
    }
  }

  async #askOn(reply: HttpReply, message: Message, until: Cancellable): Promise<JsonObject> {
    if (!this.#ask) throw new Error('This client is asked by results.')
    return this.#ask(message, until, reply.takesStream ? reply.id : undefined)
  }
}
