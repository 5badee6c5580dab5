import {
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport as SessionTransport,
} from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'
import type { JsonObject } from '../protocol/message.ts'
import type { Access } from '../protocol/request-context.ts'
import type { Aggregator } from './aggregator-options.ts'
import { createCallers } from './callers.ts'
import { createEventStore } from './event-store.ts'
import { headerMismatch } from './header-mismatch.ts'
import { createModernHandler, type ModernHandler } from './modern-handler.ts'
import { hasSubscriptionStream, type Incoming } from './subscription-streams.ts'

/** Serves clients of both eras over Streamable HTTP, as web-standard requests and responses. */
export interface HttpHandler {
  /** `authInfo.extra` is the `Access` of the principal. */
  fetch(
    request: Request,
    options?: { authInfo?: { clientId: string; extra?: Record<string, unknown> } },
  ): Promise<Response>
  close(): Promise<void>
}

interface HttpHandlerOptions {
  onError?: (error: unknown) => void
  /** Maximum size of a request. Default 16 MB. */
  maxRequestBytes?: number
  /**
   * Maximum number of sessions of 2025 clients per principal; the least recently used one ends.
   * Default 1,000.
   */
  maxSessions?: number
  /** Time without requests after which a session ends. Default 8 hours. */
  sessionIdleMs?: number
}

/** LRU of principals with sessions or handlers. */
const maxPrincipals = 10_000
const sessionHeader = 'mcp-session-id'
/** Milliseconds until a client reconnects a broken stream. */
const retryMs = 1_000

/**
 * Creates a fetch handler that serves MCP over Streamable HTTP, for clients of both protocol eras.
 */
export function createHttpHandler(
  aggregator: Aggregator,
  options: HttpHandlerOptions = {},
): HttpHandler {
  const { onError = () => {}, maxRequestBytes = 16 * 1024 * 1024 } = options
  const callers = createCallers((session) => aggregator.gateway.clients.leave(session))
  const moderns = new LRUCache<string, ModernHandler>({
    max: maxPrincipals,
    dispose: (modern, _key, reason) => void (reason === 'evict' && modern.close().catch(onError)),
  })

  function modernFor(access: Access | undefined): ModernHandler {
    const key = keyOf(access)
    const known = moderns.get(key)
    if (known) return known
    const options = { access, callers, onError, maxRequestBytes }
    const handler = createModernHandler(aggregator, options)
    moderns.set(key, handler)
    return handler
  }

  /** Sessions per principal: one principal cannot evict the sessions of others. */
  const sessions = new LRUCache<string, LRUCache<string, SessionTransport>>({
    max: maxPrincipals,
    dispose: (own, _key, reason) => void (reason === 'evict' && own.clear()),
  })

  function sessionsOf(access: Access | undefined): LRUCache<string, SessionTransport> {
    const key = keyOf(access)
    const known = sessions.get(key)
    if (known) return known
    const own = new LRUCache<string, SessionTransport>({
      max: options.maxSessions ?? 1_000,
      ttl: options.sessionIdleMs ?? 8 * 3_600_000,
      ttlAutopurge: true,
      updateAgeOnGet: true,
      dispose: (transport) => void transport.close().catch(onError),
    })
    sessions.set(key, own)
    return own
  }

  async function openSession(access: Access | undefined): Promise<SessionTransport> {
    const own = sessionsOf(access)
    const transport = new SessionTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void own.set(id, transport),
      onsessionclosed: (id) => void own.delete(id),
      maxRequestBodySize: maxRequestBytes,
      eventStore: createEventStore(),
      retryInterval: retryMs,
    })
    await aggregator.createServer({ era: 'legacy', access }).connect(transport)
    return transport
  }

  async function serveLegacy(
    request: Request,
    parsedBody: unknown,
    access: Access | undefined,
  ): Promise<Response> {
    const id = request.headers.get(sessionHeader)
    const known = id === null ? undefined : sessionsOf(access).get(id)
    // A session belongs to its principal: knowing its id is not enough.
    if (known) return known.handleRequest(request, { parsedBody })
    if (id !== null) return refusal(404, -32001, 'Session not found', parsedBody)
    if (!asList(parsedBody).some(({ method }) => method === 'initialize'))
      return refusal(400, -32000, 'Bad Request: send initialize first.', parsedBody)
    const transport = await openSession(access)
    const response = await transport.handleRequest(request, { parsedBody })
    if (transport.sessionId === undefined) await transport.close()
    return response
  }

  return {
    async fetch(request, { authInfo } = {}) {
      const access = authInfo?.extra as Access | undefined
      const body = request.method === 'POST' ? await readBody(request, maxRequestBytes) : {}
      if (body.isTooLong)
        return refusal(
          413,
          -32000,
          `The request has more than ${maxRequestBytes} bytes.`,
          undefined,
        )
      const { parsed } = body
      if (body.text !== undefined && parsed === undefined)
        return refusal(400, -32700, 'Parse error: the body is not valid JSON.', undefined)
      if (await isLegacyRequest(request, parsed)) return serveLegacy(request, parsed, access)
      const message = (parsed ?? {}) as Incoming
      const mismatch = headerMismatch(request.headers, message, aggregator.gateway, access)
      if (mismatch !== undefined) return refusal(400, -32020, mismatch, parsed)
      const modern = modernFor(access)
      if (hasSubscriptionStream(message)) await modern.listen(request, message)
      callers.note(request, message, authInfo?.clientId, access)
      return modern.fetch(request, parsed)
    },
    async close() {
      await Promise.all([...moderns.values()].map((modern) => modern.close()))
      for (const own of sessions.values()) own.clear()
    },
  }
}

const keyOf = ({ caller, profile }: Access = {}): string => JSON.stringify([caller, profile])

interface Body {
  text?: string
  parsed?: unknown
  isTooLong?: boolean
}

async function readBody(request: Request, most: number): Promise<Body> {
  const text = await request.text()
  if (Buffer.byteLength(text) > most) return { isTooLong: true }
  try {
    return { text, parsed: JSON.parse(text) }
  } catch {
    return { text }
  }
}

const asList = (value: unknown): JsonObject[] =>
  (Array.isArray(value) ? value : [value ?? {}]) as JsonObject[]

function refusal(status: number, code: number, message: string, body: unknown): Response {
  const { id = null } = (body ?? {}) as { id?: unknown }
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status })
}
