import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import type { Message } from '../protocol/message.ts'
import type { Access, Session } from '../protocol/request-context.ts'
import type { Aggregator } from './aggregator-options.ts'
import { type Callers, principalKey } from './callers.ts'
import { createSubscriptionStreams, type Incoming } from './subscription-streams.ts'
import { withTasks } from './task-streams.ts'

export type ModernHandler = ReturnType<typeof createModernHandler>

interface ModernHandlerOptions {
  access: Access | undefined
  callers: Callers
  onError: (error: unknown) => void
  maxRequestBytes: number
}

/**
 * A handler for modern clients with the same access: notifications must not reach other clients.
 */
export function createModernHandler(
  aggregator: Aggregator,
  { access, callers, onError, maxRequestBytes }: ModernHandlerOptions,
) {
  const handler = createMcpHandler(
    ({ requestInfo }) =>
      aggregator.createServer({
        era: 'modern',
        access,
        session: requestInfo && callers.of(requestInfo),
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
      const own = await listening.open({ ...message, id })
      return withTasks(await handler.fetch(request, { parsedBody: { ...own, id: message.id } }))
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
