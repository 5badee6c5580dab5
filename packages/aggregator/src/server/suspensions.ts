import { randomBytes } from 'node:crypto'
import { type Cancellable, Cancellation } from '#servers/protocol/cancellation'
import { type JsonObject, type Message, RpcError, rpcCodes } from '#servers/protocol/message'
import type { RequestContext } from '#servers/protocol/request-context'

/** What a modern client adds to a repeated request. */
export interface Retry {
  inputResponses?: JsonObject | undefined
  requestState?: string | undefined
}

interface Running {
  /** Method and name; a repeated request must have the same. */
  subject: string
  retry: Retry
}

const prefix = 'pith.'
/** Time for users to answer; the request is abandoned then. */
const patienceMs = 15 * 60_000
const maxSuspended = 1_000

interface Question {
  message: Message
  answer(result: JsonObject): void
}

interface Operation {
  readonly subject: string
  current: RequestContext
  readonly cancellation: Cancellation
  readonly open: Map<string, Question>
  result: Promise<JsonObject>
  /** Called when input is requested. */
  onQuestion(): void
  questions: number
  timer?: NodeJS.Timeout
}

/**
 * Requests of modern clients that wait for input: the client got a result that asks for it and
 * repeats the request with the input. The work continues where it was.
 */
export class Suspensions {
  readonly #suspended = new Map<string, Operation>()

  /** The result, or a request for input, if `work` asks for some. */
  async run(
    context: RequestContext,
    { subject, retry }: Running,
    work: (context: RequestContext) => Promise<JsonObject>,
  ): Promise<JsonObject> {
    const { requestState } = retry
    return this.#next(
      requestState?.startsWith(prefix)
        ? this.#resumed(context, subject, { ...retry, requestState })
        : start(context, subject, work),
    )
  }

  close(): void {
    for (const [state, operation] of [...this.#suspended])
      this.#abandon(state, operation, 'the server was stopped')
  }

  /** The operation that a repeated request continues. @throws {RpcError} if it has ended */
  #resumed(
    context: RequestContext,
    subject: string,
    { inputResponses, requestState }: Retry & { requestState: string },
  ): Operation {
    const operation = this.#suspended.get(requestState)
    const isTheirs = operation?.subject === subject && operation.current.session === context.session
    if (operation === undefined || !isTheirs)
      throw new RpcError(rpcCodes.invalidParams, 'Invalid or expired requestState', {
        reason: 'invalid_request_state',
      })
    this.#suspended.delete(requestState)
    clearTimeout(operation.timer)
    operation.current = context
    for (const [key, question] of operation.open) {
      const answer = inputResponses?.[key]
      if (typeof answer !== 'object' || answer === null) continue
      operation.open.delete(key)
      question.answer(answer as JsonObject)
    }
    return operation
  }

  /** Waits for the result, or for the next question; unanswered ones are asked again. */
  #next(operation: Operation): Promise<JsonObject> {
    const { signal } = operation.current
    const { cancellation, open, result } = operation
    const giveUp = (): void => cancellation.abort(signal.reason)
    const isLinked = signal !== cancellation
    if (isLinked && signal.aborted) giveUp()
    if (isLinked) signal.addEventListener('abort', giveUp, { once: true })
    return new Promise((resolve, reject) => {
      let isOver = false
      const end = (settle: () => void): void => {
        if (isOver) return
        isOver = true
        if (isLinked) signal.removeEventListener('abort', giveUp)
        settle()
      }
      result.then(
        (value) => end(() => resolve(value)),
        (error) => end(() => reject(error)),
      )
      operation.onQuestion = () => {
        if (open.size > 0) end(() => resolve(this.#suspend(operation)))
      }
      // The answers may lead to the result first.
      if (open.size > 0) setImmediate(operation.onQuestion)
    })
  }

  #suspend(operation: Operation): JsonObject {
    if (this.#suspended.size >= maxSuspended) {
      const [oldest] = this.#suspended
      if (oldest) this.#abandon(...oldest, 'too many calls wait for input')
    }
    const requestState = prefix + randomBytes(15).toString('base64url')
    this.#suspended.set(requestState, operation)
    operation.timer = setTimeout(
      () => this.#abandon(requestState, operation, 'the client did not send the requested input'),
      patienceMs,
    )
    operation.timer.unref()
    const inputRequests = Object.fromEntries(
      [...operation.open].map(([key, { message }]) => [key, message]),
    )
    return { resultType: 'input_required', inputRequests, requestState }
  }

  #abandon(state: string, operation: Operation, reason: string): void {
    this.#suspended.delete(state)
    clearTimeout(operation.timer)
    operation.cancellation.abort(new Error(reason))
  }
}

function start(
  context: RequestContext,
  subject: string,
  work: (context: RequestContext) => Promise<JsonObject>,
): Operation {
  const operation: Operation = {
    subject,
    current: context,
    // That of a plain request is of this request alone: it is not aborted after the answer.
    cancellation: context.signal instanceof Cancellation ? context.signal : new Cancellation(),
    open: new Map(),
    result: Promise.resolve({}),
    onQuestion() {},
    questions: 0,
  }
  operation.result = work({
    ...context,
    signal: operation.cancellation,
    notify: (message) => operation.current.notify(message),
    ask: (message, signal) => ask(operation, message, signal),
  })
  return operation
}

function ask(operation: Operation, message: Message, signal: Cancellable): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const key = `ask${++operation.questions}`
    const onAbort = (): void => {
      operation.open.delete(key)
      reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    operation.open.set(key, {
      message,
      answer(result) {
        signal.removeEventListener('abort', onAbort)
        resolve(result)
      },
    })
    // Combines questions that are asked at the same time.
    setImmediate(() => operation.onQuestion())
  })
}
