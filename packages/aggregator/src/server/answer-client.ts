import { escapeInvisible } from '#servers/protocol/escape-invisible'
import { ownedBy, withoutReplica } from '#servers/protocol/handles'
import { type JsonObject, type Message, metaKeys } from '#servers/protocol/message'
import type { RequestContext, Session } from '#servers/protocol/request-context'
import { takesTasks } from '#servers/protocol/tasks'
import { answerRequest } from './methods/answer-request.ts'
import type { HandlerDeps } from './methods/handler-deps.ts'
import type { Retry, Suspensions } from './suspensions.ts'

/** What came with a request, and how to reach its client. */
interface Received extends Pick<RequestContext, 'signal' | 'notify' | 'ask'> {
  meta: JsonObject | undefined
  envelope?: JsonObject | undefined
  retry?: Retry | undefined
}

/** Answers a request of a client of either revision. Rejects with JSON-RPC errors. */
export type AnswerClient = (
  session: Session,
  message: Message,
  received: Received,
) => Promise<JsonObject>

interface AnswerOptions {
  deps: HandlerDeps
  suspensions: Suspensions
  /** The process that has what waits for input, among replicas. */
  replica: string | undefined
}

export function createAnswers({ deps, suspensions, replica }: AnswerOptions): AnswerClient {
  return async (session, message, received) => {
    const context = requestContextOf(session, received, deps)
    if (session.era === 'legacy') return answerRequest(message, context, deps)
    // Input of the client goes to where it was requested: a server, or a call that waits here.
    // Servers, too, may know their states in one process only.
    const { inputResponses, requestState: state } = received.retry ?? {}
    const requestState = replica === undefined ? state : state && withoutReplica(state)
    const retry = {
      ...(inputResponses !== undefined && { inputResponses }),
      ...(requestState !== undefined && { requestState }),
    }
    const result = await suspensions.run(
      { ...context, passthrough: { ...context.passthrough, retry } },
      {
        subject: `${message.method} ${message.params?.['name'] ?? message.params?.['uri']}`,
        retry,
      },
      (running) => answerRequest(message, running, deps),
    )
    const { requestState: next } = result
    return typeof next === 'string' ? { ...result, requestState: ownedBy(replica, next) } : result
  }
}

function requestContextOf(
  session: Session,
  { envelope, meta, signal, notify, ask }: Received,
  { gateway, recording }: HandlerDeps,
): RequestContext {
  const declared = envelope?.[metaKeys.capabilities] as JsonObject | undefined
  const capabilities = declared ?? session.capabilities
  const isLegacy = session.era === 'legacy'
  const info = envelope?.[metaKeys.clientInfo] as { name: string } | undefined
  const name = info?.name ?? session.clientName?.()
  return {
    signal,
    notify,
    ask,
    session,
    client: name && recording.redact(escapeInvisible(name.slice(0, 10_000))).slice(0, 60),
    capabilities,
    passthrough: {
      meta,
      logLevel: isLegacy
        ? gateway.clients.logLevelOf(session)
        : (envelope?.[metaKeys.logLevel] as string | undefined),
      takes: { inputRequired: !isLegacy, tasks: !isLegacy && takesTasks(capabilities) },
      retry: undefined,
    },
  }
}
