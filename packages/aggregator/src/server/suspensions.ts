import { randomBytes } from 'node:crypto'
import type { Exchange } from '../protocol/exchange.ts'
import type { Fields, Message } from '../protocol/message.ts'
import { RpcError, rpcCodes } from '../protocol/rpc-error.ts'

/** What a modern client sends when it tries a request again. */
interface Retry {
  inputResponses: Fields | undefined
  requestState: string | undefined
}

/**
 * Requests of modern clients that wait for an answer of the client: it got a result that asks for
 * input, and comes again with what it was asked. The work goes on where it was.
 */
export interface Suspensions {
  run(
    exchange: Exchange,
    /** What is asked for; who comes again asks for the same. */
    subject: string,
    retry: Retry,
    work: (exchange: Exchange) => Promise<Fields>,
  ): Promise<Fields>
  close(): void
}

const prefix = 'pith.'
/** People take their time; who does not come back for longer has given up. */
const patienceMs = 15 * 60_000
const mostSuspended = 1_000

interface Question {
  message: Message
  answer(result: Fields): void
}

interface Operation {
  readonly subject: string
  current: Exchange
  readonly controller: AbortController
  readonly open: Map<string, Question>
  result: Promise<Fields>
  /** Resolves when something is asked. */
  asked: PromiseWithResolvers
  questions: number
  timer?: NodeJS.Timeout
}

interface PromiseWithResolvers {
  promise: Promise<void>
  resolve: () => void
}

export function createSuspensions(): Suspensions {
  const suspended = new Map<string, Operation>()

  function start(
    exchange: Exchange,
    subject: string,
    work: (exchange: Exchange) => Promise<Fields>,
  ): Operation {
    const operation: Operation = {
      subject,
      current: exchange,
      controller: new AbortController(),
      open: new Map(),
      result: Promise.resolve({}),
      asked: withResolvers(),
      questions: 0,
    }
    operation.result = work({
      ...exchange,
      signal: operation.controller.signal,
      notify: (message) => operation.current.notify(message),
      ask: (message, signal) => ask(operation, message, signal),
    })
    operation.result.catch(() => {})
    return operation
  }

  async function next(operation: Operation): Promise<Fields> {
    const { signal } = operation.current
    const giveUp = (): void => operation.controller.abort(signal.reason)
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      const result = await Promise.race([operation.result, operation.asked.promise])
      if (result !== undefined || operation.open.size === 0) return result ?? operation.result
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
    return suspend(operation)
  }

  function suspend(operation: Operation): Fields {
    if (suspended.size >= mostSuspended) {
      const [oldest] = suspended
      if (oldest) abandon(...oldest, 'too many calls wait for answers')
    }
    const requestState = prefix + randomBytes(15).toString('base64url')
    suspended.set(requestState, operation)
    operation.timer = setTimeout(
      () => abandon(requestState, operation, 'the client did not come back'),
      patienceMs,
    )
    operation.timer.unref()
    const inputRequests = Object.fromEntries(
      [...operation.open].map(([key, { message }]) => [key, message]),
    )
    return { resultType: 'input_required', inputRequests, requestState }
  }

  function abandon(state: string, operation: Operation, reason: string): void {
    suspended.delete(state)
    clearTimeout(operation.timer)
    operation.controller.abort(new Error(reason))
  }

  return {
    async run(exchange, subject, { inputResponses, requestState }, work) {
      if (!requestState?.startsWith(prefix)) return next(start(exchange, subject, work))
      const operation = suspended.get(requestState)
      const isTheirs =
        operation?.subject === subject && operation.current.session === exchange.session
      if (operation === undefined || !isTheirs)
        throw new RpcError(rpcCodes.invalidParams, 'Invalid or expired requestState', {
          reason: 'invalid_request_state',
        })
      suspended.delete(requestState)
      clearTimeout(operation.timer)
      operation.current = exchange
      operation.asked = withResolvers()
      for (const [key, question] of operation.open) {
        const answer = inputResponses?.[key]
        if (typeof answer !== 'object' || answer === null) continue
        operation.open.delete(key)
        question.answer(answer as Fields)
      }
      // What was not answered is asked again.
      if (operation.open.size > 0) operation.asked.resolve()
      return next(operation)
    },
    close() {
      for (const [state, operation] of [...suspended])
        abandon(state, operation, 'the server was stopped')
    },
  }
}

function ask(operation: Operation, message: Message, signal: AbortSignal): Promise<Fields> {
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
    // Questions that are asked together go out together.
    setImmediate(() => operation.asked.resolve())
  })
}

function withResolvers(): PromiseWithResolvers {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
