import {
  type JSONRPCRequest,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server'
import { ownedBy, withoutReplica } from '../protocol/handles.ts'
import { type Era, type JsonObject, type Message, metaKeys } from '../protocol/message.ts'
import type { Access, RequestContext, Session } from '../protocol/request-context.ts'
import { takesTasks } from '../protocol/tasks.ts'
import { verbatim } from '../protocol/verbatim.ts'
import { answerRequest, isAnswered } from './methods/answer-request.ts'
import type { HandlerDeps } from './methods/handler-deps.ts'
import { taskMethods } from './methods/tasks.ts'
import { never, requested, sessionOf } from './session-of.ts'
import type { Suspensions } from './suspensions.ts'

export type Endpoint = Server

/** A connection of a client, or one of its requests. */
export interface ConnectionOptions {
  era: Era
  /** The client of all requests, if its session outlives this server. */
  session?: Session | undefined
  /** What the client may see and do, if it has no session yet. */
  access?: Access | undefined
  /** The method, if the server is for a single request. */
  method?: string | undefined
}

interface EndpointOptions extends ConnectionOptions {
  deps: HandlerDeps
  suspensions: Suspensions
  /** The process that has what waits for input, among replicas. */
  replica: string | undefined
  /** What the server says of itself. */
  offered: {
    identity: { name: string; version: string }
    capabilities: ServerOptions['capabilities']
    instructions: string | undefined
  }
}

/**
 * Creates an SDK server for one connection, or for one self-contained request. Requests are handled
 * by its fallback, since its own handlers parse results and drop unknown members.
 */
export function createEndpoint(options: EndpointOptions): Endpoint {
  const { era, deps, suspensions, replica } = options
  const { identity, capabilities = {}, instructions } = options.offered
  const server = new Server(identity, {
    capabilities,
    ...(instructions && { instructions }),
  })
  const session = options.session ?? sessionOf(server, era, options.access)
  const isOwn = options.session === undefined
  if (isOwn) {
    deps.gateway.clients.join(session)
    server.onclose = () => deps.gateway.clients.leave(session)
  }
  const answer = async (request: JSONRPCRequest, { mcpReq }: ServerContext) => {
    const message = { method: request.method, params: request.params as JsonObject | undefined }
    const reach = received(mcpReq)
    const begun = directAnswers.get(server)?.continueCall?.(mcpReq.id, reach)
    if (begun) return begun
    const context = requestContextOf(session, reach, deps)
    return era === 'modern'
      ? answerModern(message, context, mcpReq, deps, { suspensions, replica })
      : answerRequest(message, context, deps)
  }
  if (era === 'legacy')
    directAnswers.set(server, {
      answer: (message, reach) =>
        answerRequest(message, requestContextOf(session, reach, deps), deps),
    })
  // Over HTTP an unknown method has its own status, which the SDK sends if there is no handler.
  if (options.method === undefined || isAnswered(options.method))
    server.fallbackRequestHandler = answer
  // The SDK has its own handler for this method.
  server.setRequestHandler('logging/setLevel', (request, context) =>
    answer(request as unknown as JSONRPCRequest, context),
  )
  // The SDK knows these methods from 2025, and passes them to handlers with a schema only.
  for (const method of era === 'modern' ? taskMethods : [])
    server.setRequestHandler(method, { params: verbatim }, (params, { mcpReq }) => {
      // It takes this parameter for its own.
      const { inputResponses = params['inputResponses'] } = mcpReq
      const allParams = inputResponses === undefined ? params : { ...params, inputResponses }
      const context = requestContextOf(session, received(mcpReq), deps)
      return answerRequest({ method, params: allParams }, context, deps)
    })
  server.fallbackNotificationHandler = async ({ method, params }) =>
    deps.gateway.clients.notifyServers(session, {
      method,
      params: params as JsonObject | undefined,
    })
  return server
}

/** Answers a request to a server of 2025 that the SDK has not seen. */
export type DirectAnswer = (message: Message, reach: Received) => Promise<JsonObject>

interface Direct {
  answer: DirectAnswer
  /** The reply of a call that began before the SDK had the request. */
  continueCall?: (id: string | number, reach: Received) => Promise<JsonObject> | undefined
}

export const directAnswers = new WeakMap<Endpoint, Direct>()

/** What came with a request, and how to reach its client. */
export interface Received extends Pick<RequestContext, 'signal' | 'notify' | 'ask'> {
  meta: JsonObject | undefined
  envelope?: JsonObject | undefined
}

type SdkRequest = ServerContext['mcpReq']

const received = (request: SdkRequest): Received => ({
  signal: request.signal,
  meta: request._meta as JsonObject | undefined,
  envelope: request.envelope as JsonObject | undefined,
  notify: (message) => void request.notify(message as never).catch(() => {}),
  // Related to the request, so that it is sent on the stream that the client reads.
  ask: (message, signal) =>
    request.send(requested(message), verbatim, { signal, timeout: never }) as Promise<JsonObject>,
})

function requestContextOf(
  session: Session,
  { envelope, meta, ...reach }: Received,
  { gateway }: HandlerDeps,
): RequestContext {
  const declared = envelope?.[metaKeys.capabilities] as JsonObject | undefined
  const capabilities = declared ?? session.capabilities
  const isLegacy = session.era === 'legacy'
  return {
    ...reach,
    session,
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

/**
 * Input of the client goes to where it was requested: a server, or a call that waits here. Servers,
 * too, may know their states in one process only.
 */
async function answerModern(
  message: Message,
  context: RequestContext,
  mcpReq: SdkRequest,
  deps: HandlerDeps,
  { suspensions, replica }: Pick<EndpointOptions, 'suspensions' | 'replica'>,
): Promise<JsonObject> {
  const inputResponses = mcpReq.inputResponses as JsonObject | undefined
  const state = mcpReq.requestState() as string | undefined
  const requestState = replica === undefined ? state : state && withoutReplica(state)
  const retry = {
    ...(inputResponses !== undefined && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  }
  const subject = `${message.method} ${message.params?.['name'] ?? message.params?.['uri']}`
  const result = await suspensions.run(
    { ...context, passthrough: { ...context.passthrough, retry } },
    subject,
    { inputResponses, requestState },
    (running) => answerRequest(message, running, deps),
  )
  const { requestState: next } = result
  return typeof next === 'string' ? { ...result, requestState: ownedBy(replica, next) } : result
}
