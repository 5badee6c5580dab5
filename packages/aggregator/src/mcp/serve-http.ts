import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport as SessionTransport,
} from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'
import type { Aggregator } from '../aggregator.ts'
import type { Session } from '../relay/exchange.ts'
import type { Fields, Message } from '../upstream/connection.ts'
import { createCallers } from './callers.ts'
import { createEventStore } from './event-store.ts'
import { headerMismatch } from './header-mismatch.ts'
import { createListening, type Incoming, isListening } from './listening.ts'

/** Serves clients of both eras over Streamable HTTP, as web-standard requests and responses. */
export interface HttpHandler {
  fetch(request: Request, options?: { authInfo?: { clientId: string } }): Promise<Response>
  close(): Promise<void>
}

interface HttpHandlerOptions {
  onError?: (error: unknown) => void
  /** Most bytes of a request. Default 16 MB. */
  maxRequestBytes?: number
  /** Most sessions of 2025 clients; the one unused for longest makes room. Default 1,000. */
  maxSessions?: number
  /** Until a session without requests ends. Default 8 hours. */
  sessionIdleMs?: number
}

const sessionHeader = 'mcp-session-id'
/** Until a client whose stream broke comes again. */
const retryMs = 1_000

export function createHttpHandler(
  aggregator: Aggregator,
  options: HttpHandlerOptions = {},
): HttpHandler {
  const { onError = () => {}, maxRequestBytes = 16 * 1024 * 1024 } = options
  const callers = createCallers((session) => aggregator.gateway.leave(session))
  const modern = createMcpHandler(
    ({ requestInfo }) =>
      aggregator.createServer({
        era: 'modern',
        session: requestInfo && callers.of(requestInfo),
        method: requestInfo?.headers.get('mcp-method') ?? undefined,
      }),
    { legacy: 'reject', onerror: onError, maxRequestBodySize: maxRequestBytes },
  )
  const listener: Session = {
    id: 'listener',
    era: 'modern',
    capabilities: {},
    notify: (message) => publish(message, modern.notify),
  }
  aggregator.gateway.listen(listener)
  const listening = createListening(listener, aggregator.gateway)
  let listeners = 0
  const open = new Set<Request>()

  const sessions = new LRUCache<string, SessionTransport>({
    max: options.maxSessions ?? 1_000,
    ttl: options.sessionIdleMs ?? 8 * 3_600_000,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: (transport) => void transport.close().catch(onError),
  })

  async function openSession(): Promise<SessionTransport> {
    const transport = new SessionTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
      maxRequestBodySize: maxRequestBytes,
      eventStore: createEventStore(),
      retryInterval: retryMs,
    })
    await aggregator.createServer({ era: 'legacy' }).connect(transport)
    return transport
  }

  async function serveLegacy(request: Request, parsedBody: unknown): Promise<Response> {
    const id = request.headers.get(sessionHeader)
    const known = id === null ? undefined : sessions.get(id)
    if (known) return known.handleRequest(request, { parsedBody })
    if (id !== null) return refusal(404, -32001, 'Session not found', parsedBody)
    if (!asList(parsedBody).some(({ method }) => method === 'initialize'))
      return refusal(400, -32000, 'Bad Request: begin with initialize', parsedBody)
    const transport = await openSession()
    const response = await transport.handleRequest(request, { parsedBody })
    if (transport.sessionId === undefined) await transport.close()
    return response
  }

  /** The ids clients choose are theirs; here they need one of their own. */
  async function listen(request: Request, message: Incoming): Promise<void> {
    const id = ++listeners
    // Held, since the signal of a request that nobody holds is never heard of again.
    open.add(request)
    const end = (): void => {
      open.delete(request)
      listening.close(id)
    }
    if (request.signal.aborted) end()
    else request.signal.addEventListener('abort', end, { once: true })
    await listening.open({ ...message, id })
  }

  return {
    async fetch(request, { authInfo } = {}) {
      const body = request.method === 'POST' ? await readBody(request, maxRequestBytes) : {}
      if (body.isTooLong)
        return refusal(413, -32000, `more than ${maxRequestBytes} bytes`, undefined)
      const { parsed } = body
      if (body.text !== undefined && parsed === undefined)
        return refusal(400, -32700, 'Parse error: the body is no JSON', undefined)
      if (await isLegacyRequest(request, parsed)) return serveLegacy(request, parsed)
      const message = (parsed ?? {}) as Incoming
      const mismatch = headerMismatch(request.headers, message, aggregator.gateway)
      if (mismatch !== undefined) return refusal(400, -32020, mismatch, parsed)
      if (isListening(message)) await listen(request, message)
      callers.note(request, message, authInfo?.clientId)
      return modern.fetch(request, parsed === undefined ? {} : { parsedBody: parsed })
    },
    async close() {
      await modern.close()
      sessions.clear()
      aggregator.gateway.leave(listener)
    },
  }
}

type Notifier = ReturnType<typeof createMcpHandler>['notify']

function publish({ method, params }: Message, notifier: Notifier): void {
  if (method === 'notifications/tools/list_changed') notifier.toolsChanged()
  else if (method === 'notifications/prompts/list_changed') notifier.promptsChanged()
  else if (method === 'notifications/resources/list_changed') notifier.resourcesChanged()
  else if (method === 'notifications/resources/updated')
    notifier.resourceUpdated(String(params?.['uri']))
}

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

const asList = (value: unknown): Fields[] =>
  (Array.isArray(value) ? value : [value ?? {}]) as Fields[]

function refusal(status: number, code: number, message: string, body: unknown): Response {
  const { id = null } = (body ?? {}) as { id?: unknown }
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status })
}
