import type { IncomingMessage, ServerResponse } from 'node:http'
import { RefusedError, type Route, readBody, type Visitor } from '@pith-mcp/door'
import { answerOperation, basePath } from './answer-operation.ts'
import { createStreams } from './live/streams.ts'
import { openApi } from './openapi.ts'
import type { ApiRoutesOptions } from './operation/context.ts'
import { problemOf } from './operation/problem.ts'
import { send } from './send.ts'
import { sessionRoute } from './session-route.ts'

const bodyBounds = { bytes: 4 * 1024 * 1024, ms: 20_000 }
/** How often is looked whether someone is still in. */
const checkMs = 1_000

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** The API of the console and of whoever else has a token for it. */
export function apiRoutes(options: ApiRoutesOptions): readonly Route[] {
  const { context, admission } = options
  const { hide } = context.aggregator.serving.recording

  function fail(error: unknown, response: ServerResponse): void {
    if (error instanceof RefusedError) throw error
    void send(problemOf(error, hide), response)
  }

  const stream = createStreams(context.live, context.startedAt, admission)
  const events: Route = {
    name: 'events',
    matches: (path) => path === `${basePath}/events`,
    scope: 'console:read',
    methods: ['GET'],
    replies: 'data',
    isEndless: () => true,
    handle: (_, response, visitor) => stream(response, visitor),
  }

  const description: Route = {
    name: 'openapi',
    matches: (path) => path === `${basePath}/openapi.json`,
    scope: 'console:read',
    methods: ['GET'],
    replies: 'data',
    handle: (_, response) => void send(Response.json(openApi()), response),
  }

  const rest: Route = {
    name: 'api',
    matches: (path) =>
      path.startsWith(`${basePath}/`) || path === '/api' || path.startsWith('/api/'),
    scope: (method) => (isRead(method) ? 'console:read' : 'console'),
    replies: 'data',
    handle: (request, response, visitor) => answer(request, response, visitor),
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    visitor: Visitor,
  ): Promise<void> {
    const gone = new AbortController()
    response.once('close', () => gone.abort(new Error('the client went away')))
    // Who was let out does not get the answer either.
    const check = setInterval(() => {
      if (!admission.isStillIn(visitor)) response.destroy()
    }, checkMs)
    check.unref()
    response.once('close', () => clearInterval(check))
    try {
      const { method = 'GET', url = '' } = request
      const body = isRead(method) ? undefined : (await readBody(request, bodyBounds)).toString()
      const asked = { method, url, body, visitor, signal: gone.signal }
      const value = await answerOperation(asked, context)
      const reply = value === undefined ? new Response(null, { status: 204 }) : Response.json(value)
      await send(reply, response)
    } catch (error) {
      fail(error, response)
    }
  }

  return [sessionRoute(options, answer, fail), events, description, rest]
}
