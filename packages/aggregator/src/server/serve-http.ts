import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
} from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'
import { isDeeper, maxMessageDepth } from '#servers/protocol/is-deeper'
import type { Message } from '#servers/protocol/message'
import { type Access, type Session, sessionKey } from '#servers/protocol/request-context'
import { createSealedHandles } from '../call/stages/sealed-handles.ts'
import { acceptedIn, acceptingBoth, asAccepted, eventStream, json } from './accepted.ts'
import type { Aggregator } from './aggregator-options.ts'
import { type Callers, createCallers, principalKey } from './callers.ts'
import type { ConnectionOptions } from './create-endpoint.ts'
import { HttpReply } from './http-reply.ts'
import { HttpRequests } from './http-requests.ts'
import { errorResponse, LegacySessions, type SessionLimits } from './legacy-sessions.ts'
import { headerMismatch, isAsItsHeaders } from './request-headers.ts'
import {
  createSubscriptionStreams,
  hasSubscriptionStream,
  type Incoming,
} from './subscription-streams.ts'
import { withTasks } from './task-streams.ts'

/** Serves clients of both eras over Streamable HTTP, as web-standard requests and responses. */
export type HttpHandler = ReturnType<typeof createHttpHandler>

interface HttpHandlerOptions extends SessionLimits {
  onError?: (error: unknown) => void
  /** Maximum size of a request. Default 16 MB. */
  maxRequestBytes?: number
}

/** LRU of principals with handlers. */
const maxPrincipals = 10_000

/**
 * Creates a fetch handler that serves MCP over Streamable HTTP, for clients of both protocol eras.
 */
export function createHttpHandler(aggregator: Aggregator, options: HttpHandlerOptions = {}) {
  const { onError = () => {}, maxRequestBytes = 16 * 1024 * 1024 } = options
  /** What belongs to a request of 2026, for the server that the SDK has made for it. */
  const routed = new WeakMap<Request, Pick<ConnectionOptions, 'session'>>()
  const requests = new HttpRequests(aggregator)
  const handles = createSealedHandles('session', aggregator.replica)
  const callers = createCallers(handles, (session) => aggregator.gateway.clients.leave(session))
  const legacy = new LegacySessions(aggregator, { ...options, onError, maxRequestBytes })
  const serving = { aggregator, legacy, callers, requests }
  const moderns = new LRUCache<string, ModernHandler, Access | undefined>({
    max: maxPrincipals,
    memoMethod: (_key, _stale, { context: access }) =>
      createModernHandler(aggregator, { access, routed, onError, maxRequestBytes }),
    dispose: (modern, _key, reason) => void (reason === 'evict' && modern.close().catch(onError)),
  })

  async function serve(request: Request, { authInfo, parsedBody }: Given): Promise<Response> {
    const access = authInfo?.extra as Access | undefined
    const isRead = parsedBody !== undefined || request.method !== 'POST'
    const body: Body = isRead ? { parsed: parsedBody } : await readBody(request, maxRequestBytes)
    if (body.isTooLong) {
      const problem = `The request has more than ${maxRequestBytes} bytes.`
      return errorResponse(413, -32000, problem, undefined)
    }
    const { parsed } = body
    if (body.text !== undefined && parsed === undefined)
      return errorResponse(400, -32700, 'Parse error: the body is not valid JSON.', undefined)
    if (isTooDeep(parsed)) return errorResponse(400, -32600, tooDeepText, undefined)
    if (await isLegacyRequest(request, parsed)) return legacy.serve(request, parsed, access)
    const message = (parsed ?? {}) as Incoming
    const header = (name: string): string | null => request.headers.get(name)
    const mismatch = headerMismatch(header, message, aggregator.gateway, access)
    if (mismatch !== undefined) return errorResponse(400, -32020, mismatch, parsed)
    const modern = moderns.memo(principalKey(access), { context: access })
    const session = callers.sessionOf(message, authInfo?.clientId, access)
    if (session === undefined) return errorResponse(404, -32001, endedSession, parsed)
    routed.set(request, { session })
    if (hasSubscriptionStream(message)) return modern.listen(request, message)
    return modern.fetch(request, parsed)
  }

  return {
    /** True if a message that was read cannot be passed to `fetch`. */
    isTooDeep,
    /** See `servePlain` below. */
    answerPlain: (...plain: PlainArguments): Promise<boolean> => servePlain(serving, ...plain),
    /** `authInfo.extra` is the `Access` of the principal. */
    async fetch(request: Request, extras: Given = {}): Promise<Response> {
      const { method, headers } = request
      const accept = headers.get('accept') ?? ''
      const accepted = acceptedIn(accept)
      const isStream = method === 'GET' || headers.get('mcp-method') === 'subscriptions/listen'
      const needed = method === 'GET' ? [eventStream] : [json, eventStream]
      const isUsual = isStream ? accepted.stream : accepted.stream && accepted.json
      const isServed = isUsual && needed.every((type) => accept.includes(type))
      if (isServed || !['GET', 'POST'].includes(method)) return serve(request, extras)
      if (!accepted.stream && (isStream || !accepted.json)) {
        const types = isStream ? eventStream : `${json} or ${eventStream}`
        const problem = `Not Acceptable: the Accept header must allow ${types}.`
        return errorResponse(406, -32000, problem, undefined)
      }
      return asAccepted(await serve(acceptingBoth(request), extras), accepted)
    },
    async close() {
      requests.close()
      await Promise.all([...moderns.values()].map((modern) => modern.close()))
      legacy.close()
    },
  }
}

interface HttpClient {
  access: Access | undefined
  /** As in `authInfo`. */
  clientId: string
}

interface PlainServing {
  aggregator: Aggregator
  legacy: LegacySessions
  callers: Callers
  requests: HttpRequests
}

type PlainArguments = [
  request: Pick<IncomingMessage, 'headers' | 'method'>,
  message: unknown,
  response: ServerResponse,
  client: HttpClient,
]

/**
 * Answers a plain request, or goes on with its reply on another connection. Resolves after the reply;
 * false for anything else, which must then be passed to `fetch`, with the same message as
 * `parsedBody`.
 */
async function servePlain(
  serving: PlainServing,
  ...[{ headers, method }, message, response, client]: PlainArguments
): Promise<boolean> {
  if (method === 'GET') return serving.legacy.resume(headers, response, client.access)
  const answering = answerPlain(headers, message, response, client, serving)
  await answering
  return answering !== undefined
}

/** Undefined for anything but a plain request. */
function answerPlain(
  headers: IncomingHttpHeaders,
  message: unknown,
  response: ServerResponse,
  { access, clientId }: HttpClient,
  { aggregator, legacy, callers, requests }: PlainServing,
): Promise<void> | undefined {
  const accepted = acceptedIn(headers.accept)
  if (!accepted.json) return undefined
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) return undefined
  if (headers['mcp-session-id'] !== undefined)
    return legacy.answerPlain(headers, message, response, access)
  const request = aggregator.requests.read(message, 'modern')
  if (request === undefined || !isAsItsHeaders(request, headers)) return undefined
  const header = (name: string): string | null => headers[name.toLowerCase()]?.toString() ?? null
  const incoming = message as Incoming
  if (headerMismatch(header, incoming, aggregator.gateway, access) !== undefined) return undefined
  const session = callers.sessionOf(incoming, clientId, access)
  const reply = new HttpReply(response, { takesStream: accepted.stream })
  return session && requests.answer(message, request, session, reply)
}

const endedSession = `Session not found: the one of _meta["${sessionKey}"] is of another client, or has ended. List the tools again for a new one.`
const isTooDeep = (message: unknown): boolean => isDeeper(message, maxMessageDepth)
const tooDeepText = `Invalid request: it is nested more than ${maxMessageDepth} levels deep.`

interface Given {
  authInfo?: { clientId: string; extra?: Record<string, unknown> }
  parsedBody?: unknown
}

interface Body {
  text?: string
  parsed?: unknown
  isTooLong?: boolean
}

async function readBody(request: Request, maxBytes: number): Promise<Body> {
  const text = await request.text()
  if (Buffer.byteLength(text) > maxBytes) return { isTooLong: true }
  try {
    return { text, parsed: JSON.parse(text) }
  } catch {
    return { text }
  }
}

export type ModernHandler = ReturnType<typeof createModernHandler>

interface ModernHandlerOptions {
  access: Access | undefined
  routed: WeakMap<Request, Pick<ConnectionOptions, 'session'>>
  onError: (error: unknown) => void
  maxRequestBytes: number
}

/**
 * A handler for modern clients with the same access: notifications must not reach other clients.
 */
function createModernHandler(
  aggregator: Aggregator,
  { access, routed, onError, maxRequestBytes }: ModernHandlerOptions,
) {
  const handler = createMcpHandler(
    ({ requestInfo }) =>
      aggregator.createServer({
        era: 'modern',
        access,
        ...(requestInfo && routed.get(requestInfo)),
        method: requestInfo?.headers.get('mcp-method') ?? undefined,
      }),
    { legacy: 'reject', onerror: onError, maxRequestBodySize: maxRequestBytes },
  )
  const listener: Session = {
    id: `listener ${principalKey(access)}`,
    era: 'modern',
    access,
    capabilities: {},
    notify: (message) => publish(message, handler),
  }
  aggregator.gateway.clients.listen(listener)
  const listening = createSubscriptionStreams(listener, aggregator.deps)
  const open = new Set<Request>()
  let listeners = 0

  return {
    fetch: (request: Request, parsed: unknown): Promise<Response> =>
      handler.fetch(request, parsed === undefined ? {} : { parsedBody: parsed }),
    /** Opens a subscription stream, after the subscriptions that it names. */
    async listen(request: Request, message: Incoming): Promise<Response> {
      // Clients choose the ids of their requests: they are not unique here.
      const id = ++listeners
      // Without a reference the request is garbage-collected, and its abort event never fires.
      open.add(request)
      const end = (): void => {
        open.delete(request)
        listening.close(id)
      }
      if (request.signal.aborted) end()
      else request.signal.addEventListener('abort', end, { once: true })
      const body = await listening.open({ ...message, id })
      return withTasks(await handler.fetch(request, { parsedBody: { ...body, id: message.id } }))
    },
    async close(): Promise<void> {
      await handler.close()
      aggregator.gateway.clients.leave(listener)
    },
  }
}

function publish({ method, params = {} }: Message, { bus, notify }: McpHttpHandler): void {
  if (method === 'notifications/tools/list_changed') notify.toolsChanged()
  else if (method === 'notifications/prompts/list_changed') notify.promptsChanged()
  else if (method === 'notifications/resources/list_changed') notify.resourcesChanged()
  else if (method === 'notifications/resources/updated')
    bus.publish({ kind: 'resource_updated', uri: String(params['uri']), params })
}
