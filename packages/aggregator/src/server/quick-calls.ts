import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { type JsonObject, type Message, messageText } from '../protocol/message.ts'
import { type Resolvers, withResolvers } from '../protocol/with-resolvers.ts'
import {
  type DirectAnswer,
  directAnswers,
  type Endpoint,
  type Received,
} from './create-endpoint.ts'
import { errorOf, type Id } from './direct-calls.ts'

/** Milliseconds in which most calls end. Longer ones get a stream that can be resumed. */
const quickMs = 50

/** Milliseconds for which the reply of a call that goes on is kept for the SDK. */
const keptMs = 10_000

/** A call whose request the SDK has not seen. */
interface QuickCall {
  controller: AbortController
  reply: Promise<JsonObject>
  /** Resolves when the call takes longer, or has something to say to its client. */
  goesOn: Promise<void>
  /** How to reach the client, when the SDK has the request. */
  reached: Resolvers<Received>
  /** Resolves when the id can be used again. */
  isOver: Resolvers<void>
}

/**
 * Answers short calls of a 2025 client over HTTP with one JSON object. The SDK would open a stream
 * for each, and match its message against several schemas: three times the work of a short call.
 */
export class QuickCalls {
  readonly #answer: DirectAnswer
  readonly #calls = new Map<Id, QuickCall>()

  constructor(server: Endpoint) {
    const direct = directAnswers.get(server)
    if (direct === undefined) throw new TypeError('The server is not one of 2025.')
    this.#answer = direct.answer
    direct.continueCall = (id, reach) => this.#continue(id, reach)
  }

  /**
   * The reply as JSON; undefined if the call goes on. Then the same request must be passed to the
   * SDK, whose handler continues the call.
   */
  async call(id: Id, params: JsonObject): Promise<string | undefined> {
    // Ids are unique by specification, but not in all clients.
    for (let same = this.#calls.get(id); same; same = this.#calls.get(id)) await same.isOver.promise
    const call = this.#begin(id, params)
    const reply = await Promise.race([
      call.goesOn,
      call.reply.then(
        (result) => ({ result }),
        (error) => ({ error: errorOf(error) }),
      ),
    ])
    if (reply === undefined) return undefined
    this.#drop(id, call)
    return messageText({ jsonrpc: '2.0', id, ...reply } as JSONRPCMessage)
  }

  cancel(id: Id, reason: unknown): void {
    this.#calls.get(id)?.controller.abort(reason)
  }

  #begin(id: Id, params: JsonObject): QuickCall {
    const controller = new AbortController()
    const goesOn = withResolvers()
    const reached = withResolvers<Received>()
    const timer = setTimeout(goesOn.resolve, quickMs)
    const reach = (): Promise<Received> => {
      goesOn.resolve()
      return reached.promise
    }
    const received = {
      signal: controller.signal,
      meta: params['_meta'] as JsonObject | undefined,
      notify: (message: Message) => void reach().then(({ notify }) => notify(message)),
      ask: async (message: Message, signal: AbortSignal) => (await reach()).ask(message, signal),
    }
    const reply = this.#answer({ method: 'tools/call', params }, received).finally(() => {
      clearTimeout(timer)
      // The SDK may have refused the request.
      if (this.#calls.get(id) === call) setTimeout(() => this.#drop(id, call), keptMs).unref()
    })
    const call = { controller, reply, goesOn: goesOn.promise, reached, isOver: withResolvers() }
    this.#calls.set(id, call)
    return call
  }

  #continue(id: Id, reach: Received): Promise<JsonObject> | undefined {
    const call = this.#calls.get(id)
    if (call === undefined) return undefined
    const { signal } = reach
    const cancel = (): void => call.controller.abort(signal.reason)
    if (signal.aborted) cancel()
    else signal.addEventListener('abort', cancel, { once: true })
    call.reached.resolve(reach)
    this.#drop(id, call)
    return call.reply
  }

  #drop(id: Id, call: QuickCall): void {
    if (this.#calls.get(id) !== call) return
    this.#calls.delete(id)
    call.isOver.resolve()
  }
}
