import type { Deadline } from '#servers/connection/deadline'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { abortSignalOf } from '#servers/protocol/cancellation'
import type { JsonObject, Message } from '#servers/protocol/message'
import type { RequestContext, Session } from '#servers/protocol/request-context'
import { type Resolvers, withResolvers } from '#servers/protocol/with-resolvers'
import { answerInstead, canShow, type QuestionCount, type Questions } from './questions.ts'
import { Turns } from './turns.ts'

interface ActiveRequest {
  context: RequestContext
  count: QuestionCount
  deadline: Deadline
  hasTurn: boolean
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
  readonly #server: { readonly name: string; readonly per?: string | undefined }
  readonly #questions: Questions
  readonly #active = new Set<ActiveRequest>()
  readonly turns: Turns = new Turns()
  /** A client has answered which folders it works in. */
  onRoots: (session: Session, answer: JsonObject) => void = () => {}
  /** The server got an empty list of folders, for a client without any. */
  #hasNoRoots = false
  /** Questions outside of any request, and when they count again. */
  readonly #idleQuestions = { asked: 0 }
  #idleUntil = 0

  constructor(
    server: { readonly name: string; readonly per?: string | undefined },
    questions: Questions,
  ) {
    this.#server = server
    this.#questions = questions
  }

  /** Returns the function that ends the request. */
  begin(
    context: RequestContext,
    deadline: Deadline,
    count: QuestionCount,
    hasTurn = false,
  ): () => void {
    const request: ActiveRequest = { context, deadline, count, hasTurn }
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

  /** What it knows of folders may be another client's. */
  oweRoots(): void {
    this.#hasNoRoots = true
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
    this.turns.asks()
    const requests = this.#askingRequests()
    const clients = requests.length > 0 ? requests.map(({ context }) => context) : this.#idle()
    const able = clients.filter(({ capabilities }) => canShow(message, capabilities))
    const [client = clients[0]] = able
    const count =
      client && (withFewestQuestions(requests)?.count ?? this.#idleCount(client.session))
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
    } else if (count && isClear && count.session.ask) {
      const question = this.#questions.admit(message, count)
      return this.#noted(message, count.session, await count.session.ask(question, signal))
    }
    const { name } = this.#server
    throw new AggregatorError(
      'cannot_ask',
      this.#active.size > 1
        ? `${message.method}: several clients are calling ${name}, and it is unknown which one the server asks.`
        : `${message.method}: no client that can be asked is calling ${name}.`,
      `Set "per": "session" in the configuration of ${name} to give each client its own instance.`,
    )
  }

  /** Notes folders in the answer of a client. */
  #noted({ method }: Message, session: Session, answer: JsonObject): JsonObject {
    if (method === 'roots/list') this.onRoots(session, answer)
    return answer
  }

  /** Those that have their turn, else all. */
  #askingRequests(): readonly ActiveRequest[] {
    const all = [...this.#active]
    const inTurn = all.filter(({ hasTurn }) => hasTurn)
    return inTurn.length > 0 ? inTurn : all
  }

  /** Who can be asked outside of requests. */
  #idle(): Pick<RequestContext, 'session' | 'capabilities'>[] {
    return [...this.sessions].map((session) => ({
      session,
      capabilities: session.ask ? session.capabilities : {},
    }))
  }

  #idleCount(session: Session): QuestionCount {
    if (performance.now() > this.#idleUntil) {
      this.#idleQuestions.asked = 0
      this.#idleUntil = performance.now() + idleMs
    }
    return Object.assign(this.#idleQuestions, { session })
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
      const latest = withFewestQuestions(
        requests.filter(({ context }) => canShow(message, context.capabilities)),
      )
      if (latest === undefined || (isUnsure && requests.length > 1)) return undefined
      question ??= this.#questions.admit(message, latest.count)
      latest.over ??= withResolvers()
      const resume = latest.deadline.pause()
      try {
        const eitherSignal = AbortSignal.any([signal, abortSignalOf(latest.deadline.signal)])
        const asking = latest.context.ask(question, eitherSignal)
        const answer = await this.turns.during(Promise.race([asking, latest.over.promise]))
        if (answer !== undefined) return this.#noted(message, session, answer)
      } finally {
        resume()
      }
    }
  }
}

/** The latest of those for which the server has asked least, since a question names none of them. */
const withFewestQuestions = (requests: readonly ActiveRequest[]): ActiveRequest | undefined =>
  [...requests].reverse().sort((one, other) => one.count.asked - other.count.asked)[0]
