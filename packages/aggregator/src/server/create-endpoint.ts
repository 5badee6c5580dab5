import {
  type JSONRPCRequest,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server'
import type { Access, Exchange, Session } from '../protocol/exchange.ts'
import type { Era, Fields, Message } from '../protocol/message.ts'
import { metaKeys } from '../protocol/meta-keys.ts'
import { verbatim } from '../protocol/verbatim.ts'
import { answerRequest, isAnswered } from './requests/answer-request.ts'
import type { Serving } from './requests/serving.ts'
import { asked, never, sessionOf } from './session-of.ts'
import type { Suspensions } from './suspensions.ts'

export type Endpoint = Server

export interface EndpointOptions {
  era: Era
  serving: Serving
  suspensions: Suspensions
  identity: { name: string; version: string }
  capabilities: ServerOptions['capabilities']
  instructions: string | undefined
  /** The client of all requests, if its session does not end with this server. */
  session?: Session | undefined
  /** What the client may see and do, if it has no session yet. */
  access?: Access | undefined
  /** The one request it is for, if it is for one. */
  method?: string | undefined
}

/**
 * A server of the SDK for one connection, or for one request where each stands alone. Requests go
 * through its fallback, since its own handlers read results and leave out what they do not know.
 */
export function createEndpoint(options: EndpointOptions): Endpoint {
  const { era, serving, suspensions, capabilities = {}, instructions } = options
  const server = new Server(options.identity, {
    capabilities,
    ...(instructions && { instructions }),
  })
  const session = options.session ?? sessionOf(server, era, options.access)
  const isOwn = options.session === undefined
  if (isOwn) {
    serving.gateway.join(session)
    server.onclose = () => serving.gateway.leave(session)
  }
  const answer = async (request: JSONRPCRequest, context: ServerContext) => {
    const message = { method: request.method, params: request.params as Fields | undefined }
    const exchange = exchangeOf(session, context, serving)
    return era === 'modern'
      ? answerModern(message, exchange, context, serving, suspensions)
      : answerRequest(message, exchange, serving)
  }
  // Over HTTP an unknown method has a status of its own, which the SDK gives if nothing handles it.
  if (options.method === undefined || isAnswered(options.method))
    server.fallbackRequestHandler = answer
  // The SDK has an answer of its own to this one.
  server.setRequestHandler('logging/setLevel', (request, context) =>
    answer(request as unknown as JSONRPCRequest, context),
  )
  server.fallbackNotificationHandler = async ({ method, params }) =>
    serving.gateway.tellServers(session, { method, params: params as Fields | undefined })
  return server
}

function exchangeOf(session: Session, { mcpReq }: ServerContext, { gateway }: Serving): Exchange {
  const envelope = mcpReq.envelope as Fields | undefined
  const declared = envelope?.[metaKeys.capabilities] as Fields | undefined
  const isLegacy = session.era === 'legacy'
  return {
    session,
    signal: mcpReq.signal,
    capabilities: declared ?? session.capabilities,
    meta: mcpReq._meta as Fields | undefined,
    logLevel: isLegacy
      ? gateway.logLevelOf(session)
      : (envelope?.[metaKeys.logLevel] as string | undefined),
    takesInputRequired: !isLegacy,
    retry: undefined,
    notify: (message) => void mcpReq.notify(message as never).catch(() => {}),
    // With the request it belongs to, so that it comes on the stream the client reads.
    ask: (message, signal) =>
      mcpReq.send(asked(message), verbatim, { signal, timeout: never }) as Promise<Fields>,
  }
}

/** The client's answers go to who asked: to a server behind us, or to a call that waits here. */
function answerModern(
  message: Message,
  exchange: Exchange,
  { mcpReq }: ServerContext,
  serving: Serving,
  suspensions: Suspensions,
): Promise<Fields> {
  const inputResponses = mcpReq.inputResponses as Fields | undefined
  const requestState = mcpReq.requestState() as string | undefined
  const retry = {
    ...(inputResponses !== undefined && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  }
  const subject = `${message.method} ${message.params?.['name'] ?? message.params?.['uri']}`
  return suspensions.run(
    { ...exchange, retry },
    subject,
    { inputResponses, requestState },
    (running) => answerRequest(message, running, serving),
  )
}
