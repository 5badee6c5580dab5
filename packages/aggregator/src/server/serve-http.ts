import type { IncomingHttpHeaders } from 'node:http'
import { isLegacyRequest } from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'
import type { Access } from '../protocol/request-context.ts'
import type { Aggregator } from './aggregator-options.ts'
import { createCallers, principalKey } from './callers.ts'
import { headerMismatch } from './header-mismatch.ts'
import { errorResponse, LegacySessions, type SessionLimits } from './legacy-sessions.ts'
import { createModernHandler, type ModernHandler } from './modern-handler.ts'
import { hasSubscriptionStream, type Incoming } from './subscription-streams.ts'

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
  const callers = createCallers((session) => aggregator.gateway.clients.leave(session))
  const legacy = new LegacySessions(aggregator, { ...options, onError, maxRequestBytes })
  const moderns = new LRUCache<string, ModernHandler, Access | undefined>({
    max: maxPrincipals,
    memoMethod: (_key, _stale, { context: access }) =>
      createModernHandler(aggregator, { access, callers, onError, maxRequestBytes }),
    dispose: (modern, _key, reason) => void (reason === 'evict' && modern.close().catch(onError)),
  })

  return {
    /**
     * The JSON of the reply to a call of a session of 2025 that ends soon. Undefined for anything
     * else, which must then be passed to `fetch`, with the same message as `parsedBody`.
     */
    callQuickly: (headers: IncomingHttpHeaders, message: unknown, access: Access | undefined) =>
      legacy.callQuickly(headers, message, access),
    /** `authInfo.extra` is the `Access` of the principal. */
    async fetch(
      request: Request,
      {
        authInfo,
        parsedBody,
      }: {
        authInfo?: { clientId: string; extra?: Record<string, unknown> }
        parsedBody?: unknown
      } = {},
    ) {
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
      if (await isLegacyRequest(request, parsed)) return legacy.serve(request, parsed, access)
      const message = (parsed ?? {}) as Incoming
      const mismatch = headerMismatch(request.headers, message, aggregator.gateway, access)
      if (mismatch !== undefined) return errorResponse(400, -32020, mismatch, parsed)
      const modern = moderns.memo(principalKey(access), { context: access })
      if (hasSubscriptionStream(message)) await modern.listen(request, message)
      callers.note(request, message, authInfo?.clientId, access)
      return modern.fetch(request, parsed)
    },
    async close() {
      await Promise.all([...moderns.values()].map((modern) => modern.close()))
      legacy.close()
    },
  }
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
