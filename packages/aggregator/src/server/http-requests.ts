import { type Cancellable, Cancellation } from '#servers/protocol/cancellation'
import type { JsonObject, Message } from '#servers/protocol/message'
import type { Session } from '#servers/protocol/request-context'
import { type Resolvers, withResolvers } from '#servers/protocol/with-resolvers'
import type { Aggregator } from './aggregator-options.ts'
import type { Received } from './answer-client.ts'
import type { PlainRequest } from './plain-request.ts'
import { replyText } from './reply-text.ts'

/** Milliseconds in which most requests end. Longer ones get a stream. */
const quickMs = 50

/** Milliseconds for which the reply of a request that goes on is kept for the SDK. */
const keptMs = 10_000

/** A request that the SDK has not seen. */
interface Begun {
  signal: Cancellation
  reply: Promise<JsonObject>
  /** Resolves when the request takes longer, or has something to say to its client. */
  goesOn: Promise<void>
  /** How to reach the client, when the SDK has the request. */
  reached: Resolvers<Received>
  /** Resolves when the key can be used again. */
  isOver: Resolvers<void>
}

/**
 * Answers short plain requests over HTTP with one JSON object. The SDK would open a stream, and in
 * 2026 a server, for each. Keys are ids in a session of 2025, else the messages themselves.
 */
export class HttpRequests {
  readonly #aggregator: Aggregator
  readonly #begun = new Map<unknown, Begun>()

  constructor(aggregator: Aggregator) {
    this.#aggregator = aggregator
  }

  /**
   * The reply as JSON; undefined if the request goes on. Then it must be passed to the SDK, whose
   * handler continues it.
   */
  async answer(key: unknown, request: PlainRequest, session: Session): Promise<string | undefined> {
    // Ids are unique by specification, but not in all clients.
    for (let same = this.#begun.get(key); same; same = this.#begun.get(key))
      await same.isOver.promise
    const begun = this.#begin(key, request, session)
    const { era } = session
    const reply = await Promise.race([
      begun.goesOn,
      begun.reply.then(
        (result) => ({ result }),
        // The SDK says with which status an error of 2026 is sent.
        (error) => (era === 'modern' ? undefined : { error }),
      ),
    ])
    if (reply === undefined) return undefined
    this.#drop(key, begun)
    return replyText(request, reply, era, this.#aggregator.identity)
  }

  cancel(key: unknown, reason: unknown): void {
    this.#begun.get(key)?.signal.abort(reason)
  }

  /** The reply of a request that began before the SDK had it. */
  continue(key: unknown, received: Received): Promise<JsonObject> | undefined {
    const begun = this.#begun.get(key)
    if (begun === undefined) return undefined
    const { signal } = received
    const cancel = (): void => begun.signal.abort(signal.reason)
    if (signal.aborted) cancel()
    else signal.addEventListener('abort', cancel, { once: true })
    begun.reached.resolve(received)
    this.#drop(key, begun)
    // The reply may ask for input, and the work go on after it.
    return begun.reply.finally(() => signal.removeEventListener('abort', cancel))
  }

  #begin(key: unknown, request: PlainRequest, session: Session): Begun {
    const signal = new Cancellation()
    const goesOn = withResolvers()
    const reached = withResolvers<Received>()
    const timer = setTimeout(goesOn.resolve, quickMs)
    const reach = (): Promise<Received> => {
      goesOn.resolve()
      return reached.promise
    }
    const received = {
      signal,
      meta: request.meta,
      envelope: request.envelope,
      notify: (message: Message) => void reach().then(({ notify }) => notify(message)),
      ask: async (message: Message, until: Cancellable) => (await reach()).ask(message, until),
    }
    const reply = this.#aggregator.answer(session, request, received).finally(() => {
      clearTimeout(timer)
      // The SDK may have refused the request.
      if (this.#begun.get(key) === begun) setTimeout(() => this.#drop(key, begun), keptMs).unref()
    })
    const begun = { signal, reply, goesOn: goesOn.promise, reached, isOver: withResolvers() }
    this.#begun.set(key, begun)
    return begun
  }

  #drop(key: unknown, begun: Begun): void {
    if (this.#begun.get(key) !== begun) return
    this.#begun.delete(key)
    begun.isOver.resolve()
  }
}
