import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import {
  type JSONRPCMessage,
  WebStandardStreamableHTTPServerTransport as SdkTransport,
  type WebStandardStreamableHTTPServerTransportOptions as SdkTransportOptions,
  type Server,
  type TransportSendOptions,
} from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'
import { ownedBy } from '#servers/protocol/handles'
import { isJsonObject, type JsonObject, type Message } from '#servers/protocol/message'
import type { Access, Session } from '#servers/protocol/request-context'
import { acceptedIn } from './accepted.ts'
import type { Aggregator } from './aggregator-options.ts'
import { principalKey } from './callers.ts'
import { createEventStore, type SessionEvents } from './event-store.ts'
import { HttpReply, retryMs } from './http-reply.ts'
import { HttpRequests } from './http-requests.ts'
import { requestOf, sessionOf } from './session-of.ts'

export interface SessionLimits {
  /**
   * Maximum number of sessions of 2025 clients per principal; the least recently used one ends.
   * Default 1,000.
   */
  maxSessions?: number
  /** Time without requests after which a session ends. Default 8 hours. */
  sessionIdleMs?: number
}

interface LegacySessionsOptions extends SessionLimits {
  onError: (error: unknown) => void
  maxRequestBytes: number
}

/** LRU of principals with sessions. */
const maxPrincipals = 10_000
const sessionHeader = 'mcp-session-id'
const versionHeader = 'mcp-protocol-version'
/** Without a header: 2025-03-26. Clients of the last can read an event without data. */
const versions: unknown[] = ['2025-03-26', '2025-06-18', '2025-11-25']

interface OpenSession {
  transport: SessionTransport
  session: Session
  requests: HttpRequests
  events: SessionEvents
}

/** What belongs to a request that the SDK has not seen is sent on the stream of its reply. */
class SessionTransport extends SdkTransport {
  readonly #requests: HttpRequests

  constructor(requests: HttpRequests, options: SdkTransportOptions) {
    super(options)
    this.#requests = requests
  }

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const reply = this.#requests.replyOf(options?.relatedRequestId)
    if (reply) reply.send(message as Message)
    else await super.send(message, options as Parameters<SdkTransport['send']>[1])
  }
}

/** Sessions of 2025 clients per principal: one principal cannot evict the sessions of others. */
export class LegacySessions {
  readonly #aggregator: Aggregator
  readonly #options: LegacySessionsOptions
  readonly #sessions = new LRUCache<string, LRUCache<string, OpenSession>>({
    max: maxPrincipals,
    memoMethod: () => this.#createCache(),
    dispose: (sessions, _key, reason) => void (reason === 'evict' && sessions.clear()),
  })

  constructor(aggregator: Aggregator, options: LegacySessionsOptions) {
    this.#aggregator = aggregator
    this.#options = options
  }

  /** Answers in the session that the request names; `initialize` opens one. */
  async serve(
    request: Request,
    parsedBody: unknown,
    access: Access | undefined,
  ): Promise<Response> {
    const id = request.headers.get(sessionHeader)
    const session = id === null ? undefined : this.#of(access).get(id)
    // A session belongs to its principal: knowing its id is not enough.
    if (session) {
      for (const { method, params } of asList(parsedBody))
        if (method === 'notifications/cancelled' && isJsonObject(params))
          session.requests.cancel(params['requestId'], params['reason'])
      return session.transport.handleRequest(request, { parsedBody })
    }
    if (id !== null) return errorResponse(404, -32001, 'Session not found', parsedBody)
    if (!asList(parsedBody).some(({ method }) => method === 'initialize'))
      return errorResponse(400, -32000, 'Bad Request: send initialize first.', parsedBody)
    const transport = await this.#open(access)
    const response = await transport.handleRequest(request, { parsedBody })
    if (transport.sessionId === undefined) await transport.close()
    return response
  }

  /** See `HttpHandler`. Requests that the SDK refuses are left to it. */
  answerPlain(
    headers: IncomingHttpHeaders,
    message: unknown,
    response: ServerResponse,
    access: Access | undefined,
  ): Promise<void> | undefined {
    const { [versionHeader]: version, [sessionHeader]: id = '' } = headers
    if (version !== undefined && !versions.includes(version)) return undefined
    const request = this.#aggregator.requests.read(message, 'legacy')
    const open = this.#of(access).get(`${id}`)
    if (request === undefined || open === undefined) return undefined
    const { events, requests, session } = open
    const reply = new HttpReply(response, {
      takesStream: acceptedIn(headers.accept).stream,
      session: { id: `${id}`, events, isPrimed: version === versions.at(-1) },
    })
    return requests.answer(request.id, request, session, reply)
  }

  /** Goes on with a reply after an event. False without one, or if it has ended: the SDK replays it. */
  resume(
    { [sessionHeader]: id, 'last-event-id': event }: IncomingHttpHeaders,
    response: ServerResponse,
    access: Access | undefined,
  ): boolean {
    const open = this.#of(access).get(String(id))
    const reply = open?.requests.replyOf(open.events.streamOf(String(event)))
    reply?.resume(response, String(event))
    return reply !== undefined
  }

  close(): void {
    for (const sessions of this.#sessions.values()) sessions.clear()
  }

  #of(access: Access | undefined): LRUCache<string, OpenSession> {
    return this.#sessions.memo(principalKey(access))
  }

  #createCache(): LRUCache<string, OpenSession> {
    const { maxSessions = 1_000, sessionIdleMs = 8 * 3_600_000, onError } = this.#options
    return new LRUCache<string, OpenSession>({
      max: maxSessions,
      ttl: sessionIdleMs,
      ttlAutopurge: true,
      updateAgeOnGet: true,
      dispose({ transport, requests }) {
        requests.close()
        transport.close().catch(onError)
      },
    })
  }

  async #open(access: Access | undefined): Promise<SessionTransport> {
    const sessions = this.#of(access)
    const server: Server = this.#aggregator.createServer({ era: 'legacy', access })
    const events = createEventStore()
    const requests = new HttpRequests(this.#aggregator, requestOf(server))
    const session = sessionOf(server)
    const transport: SessionTransport = new SessionTransport(requests, {
      sessionIdGenerator: () => ownedBy(this.#aggregator.replica, crypto.randomUUID()),
      onsessioninitialized: (id) => void sessions.set(id, { transport, session, requests, events }),
      onsessionclosed: (id) => void sessions.delete(id),
      maxRequestBodySize: this.#options.maxRequestBytes,
      eventStore: events,
      retryInterval: retryMs,
    })
    await server.connect(transport)
    return transport
  }
}

/** A JSON-RPC error as an HTTP response. */
export function errorResponse(
  status: number,
  code: number,
  message: string,
  body: unknown,
): Response {
  const { id = null } = (body ?? {}) as { id?: unknown }
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status })
}

const asList = (value: unknown): JsonObject[] =>
  (Array.isArray(value) ? value : [value ?? {}]) as JsonObject[]
