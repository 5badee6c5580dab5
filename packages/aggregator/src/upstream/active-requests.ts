import type { Deadline } from '#servers/connection/deadline'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { abortSignalOf } from '#servers/protocol/cancellation'
import type { JsonObject, Message } from '#servers/protocol/message'
import type { RequestContext, Session } from '#servers/protocol/request-context'
import { type Resolvers, withResolvers } from '#servers/protocol/with-resolvers'
import { answerInstead, canShow, type QuestionCount, type Questions } from './questions.ts'

interface ActiveRequest {
  context: RequestContext
  count: QuestionCount
  deadline: Deadline
  /** Resolves when the request is over; made for a question. */
  over?: Resolvers<undefined>
}

/** Milliseconds in which questions outside of requests are counted together. */
const idleMs = 10 * 60_000

/**
 * The client requests that an instance works on, and the sessions that have used it. Requests of
 * the server go to the client whose request it works on.
 */
export class ActiveRequests {
  readonly sessions: Set<Session> = new Set()
  readonly #server: { readonly name: string; readonly per: string }
  readonly #questions: Questions
  readonly #active = new Set<ActiveRequest>()
  /** The server got an empty list of folders, for a client without any. */
  #hasNoRoots = false
  /** Questions outside of any request, and when they count again. */
  readonly #idle = { asked: 0 }
  #idleUntil = 0

  constructor(server: { readonly name: string; readonly per: string }, questions: Questions) {
    this.#server = server
    this.#questions = questions
  }

  /** Returns the function that ends the request. */
  begin(context: RequestContext, deadline: Deadline, count: QuestionCount): () => void {
    const request: ActiveRequest = { context, deadline, count }
    this.#active.add(request)
    this.sessions.add(context.session)
    return () => {
      this.#active.delete(request)
      request.over?.resolve(undefined)
    }
  }

  /** The server has shown a sign of life. With several requests it is unknown which one it is for. */
  alive(): void {
    if (this.#active.size === 1) for (const { deadline } of this.#active) deadline.alive()
  }

  /** The session's latest active request. */
  current(session: Session): RequestContext | undefined {
    return this.#of(session).at(-1)?.context
  }

  /** True once, for the first client with folders after one without. */
  owesRoots({ roots }: JsonObject): boolean {
    const isOwed = this.#hasNoRoots && roots !== undefined
    if (isOwed) this.#hasNoRoots = false
    return isOwed
  }

  /**
   * Asks the client whose request the server is working on, or answers for it if it cannot show the
   * question: to the server, we declare more than each client can.
   * @throws {AggregatorError} `cannot_ask`
   */
  async ask(message: Message, signal: AbortSignal): Promise<JsonObject> {
    const requests = [...this.#active]
    const idle = [...this.sessions].map((session) => ({
      session,
      capabilities: session.ask ? session.capabilities : {},
    }))
    const clients = requests.length > 0 ? requests.map(({ context }) => context) : idle
    const able = clients.filter(({ capabilities }) => canShow(message, capabilities))
    const [client = clients[0]] = able
    const count = client && (requests[0]?.count ?? this.#idleCount(client.session))
    if (count && able.length === 0) {
      this.#questions.admit(message, count, false)
      this.#hasNoRoots ||= message.method === 'roots/list'
      return answerInstead(message)
    }
    const isOne = clients.every(({ session }) => session === client?.session)
    // Folders are of the one client that has any; other questions could be for another one.
    const isClear = isOne || (message.method === 'roots/list' && able.length === 1)
    if (requests.length > 0) {
      const answer = client && isOne && (await this.#askCaller(client.session, message, signal))
      if (answer) return answer
    } else if (count && isClear && count.session.ask)
      return count.session.ask(this.#questions.admit(message, count), signal)
    const { name } = this.#server
    throw new AggregatorError(
      'cannot_ask',
      this.#active.size > 1
        ? `${message.method}: several clients are calling ${name}, and it is unknown which one the server asks.`
        : `${message.method}: no client that can be asked is calling ${name}.`,
      `Set "per": "session" in the configuration of ${name} to give each client its own instance.`,
    )
  }

  #idleCount(session: Session): QuestionCount {
    if (performance.now() > this.#idleUntil) {
      this.#idle.asked = 0
      this.#idleUntil = performance.now() + idleMs
    }
    return Object.assign(this.#idle, { session })
  }

  #of(session: Session): ActiveRequest[] {
    return [...this.#active].filter(({ context }) => context.session === session)
  }

  /**
   * Asks through the client's latest request, since the server's request does not name one. If that
   * request ends before the answer, the next one asks again.
   */
  async #askCaller(
    session: Session,
    message: Message,
    signal: AbortSignal,
  ): Promise<JsonObject | undefined> {
    let question: Message | undefined
    for (;;) {
      const requests = this.#of(session)
      // Without a session of the protocol, one session may stand for several clients.
      const isUnsure = this.#server.per === 'session' && session.sharedBy !== undefined
      const latest = requests.filter(({ context }) => canShow(message, context.capabilities)).at(-1)
      if (latest === undefined || (isUnsure && requests.length > 1)) return undefined
      question ??= this.#questions.admit(message, latest.count)
      latest.over ??= withResolvers()
      const resume = latest.deadline.pause()
      try {
        const eitherSignal = AbortSignal.any([signal, abortSignalOf(latest.deadline.signal)])
        const answer = await Promise.race([
          latest.context.ask(question, eitherSignal),
          latest.over.promise,
        ])
        if (answer !== undefined) return answer
      } finally {
        resume()
      }
    }
  }
}
