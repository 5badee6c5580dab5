import {
  type JSONRPCRequest,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server'
import { abortSignalOf, type Cancellable } from '#servers/protocol/cancellation'
import type { Era, JsonObject, Message } from '#servers/protocol/message'
import type { Access, Session } from '#servers/protocol/request-context'
import { verbatim } from '#servers/protocol/verbatim'
import type { AnswerClient } from './answer-client.ts'
import { isAnswered } from './methods/answer-request.ts'
import type { HandlerDeps } from './methods/handler-deps.ts'
import { taskMethods } from './methods/tasks.ts'
import type { PlainRequests } from './plain-request.ts'
import { never, requested, sessionOf } from './session-of.ts'

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
  answer: AnswerClient
  requests: PlainRequests
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
  const { era, deps, requests } = options
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
    const received = receivedBy(mcpReq)
    if (received.envelope) requests.accept(received.envelope)
    const message = { method: request.method, params: request.params as JsonObject | undefined }
    return options.answer(session, message, received)
  }
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
      // It takes this parameter for its own, and a task asks by itself.
      const { retry, ...received } = receivedBy(mcpReq)
      const { inputResponses } = retry
      const allParams = inputResponses === undefined ? params : { ...params, inputResponses }
      return options.answer(session, { method, params: allParams }, received)
    })
  server.fallbackNotificationHandler = async ({ method, params }) =>
    deps.gateway.clients.notifyServers(session, {
      method,
      params: params as JsonObject | undefined,
    })
  return server
}

const receivedBy = (request: ServerContext['mcpReq']) => ({
  signal: request.signal,
  meta: request._meta as JsonObject | undefined,
  envelope: request.envelope as JsonObject | undefined,
  retry: {
    inputResponses: request.inputResponses as JsonObject | undefined,
    requestState: request.requestState() as string | undefined,
  },
  notify: (message: Message) => void request.notify(message as never).catch(() => {}),
  // Related to the request, so that it is sent on the stream that the client reads.
  ask: (message: Message, signal: Cancellable) =>
    request.send(requested(message), verbatim, {
      signal: abortSignalOf(signal),
      timeout: never,
    }) as Promise<JsonObject>,
})
