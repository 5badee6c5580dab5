import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Principal, RejectedError, type Route, readBody } from '@pith-mcp/server-kit'
import { answerOperation, basePath } from './answer-operation.ts'
import { createStreams } from './live/streams.ts'
import { openApi } from './openapi.ts'
import type { ApiRoutesOptions } from './operation/context.ts'
import { problemOf } from './operation/problem.ts'
import { sendJson } from './send-json.ts'
import { sessionRoute } from './session-route.ts'

const bodyBounds = { bytes: 4 * 1024 * 1024, ms: 20_000 }

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** The API of the console, and of other clients with a token for it. */
export function apiRoutes(options: ApiRoutesOptions): readonly Route[] {
  const { context } = options
  const { redact } = context.aggregator.deps.recording

  function fail(error: unknown, response: ServerResponse): void {
    if (error instanceof RejectedError) throw error
    const problem = problemOf(error, redact)
    sendJson(response, problem, problem.status, 'application/problem+json')
  }

  const stream = createStreams(context.live, context.startedAt)
  const events: Route = {
    name: 'events',
    matches: (path) => path === `${basePath}/events`,
    scope: 'console:read',
    methods: ['GET'],
    replies: 'data',
    isStream: () => true,
    handle: (_, response, principal) => stream(response, principal),
  }

  const description: Route = {
    name: 'openapi',
    matches: (path) => path === `${basePath}/openapi.json`,
    scope: 'console:read',
    methods: ['GET'],
    replies: 'data',
    handle: (_, response) => sendJson(response, openApi()),
  }

  const rest: Route = {
    name: 'api',
    matches: (path) =>
      path.startsWith(`${basePath}/`) || path === '/api' || path.startsWith('/api/'),
    scope: (method) => (isRead(method) ? 'console:read' : 'console'),
    replies: 'data',
    handle: (request, response, principal) => answer(request, response, principal),
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    principal: Principal,
  ): Promise<void> {
    const disconnected = new AbortController()
    response.once('close', () => disconnected.abort(new Error('The client disconnected.')))
    try {
      const { method = 'GET', url = '' } = request
      const body = isRead(method) ? undefined : (await readBody(request, bodyBounds)).toString()
      const apiRequest = { method, url, body, principal, signal: disconnected.signal }
      const value = await answerOperation(apiRequest, context)
      if (value === undefined) response.writeHead(204).end()
      else sendJson(response, value)
    } catch (error) {
      fail(error, response)
    }
  }

  return [sessionRoute(options, answer, fail), events, description, rest]
}
