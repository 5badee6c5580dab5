import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Admission, RefusedError, type Route, readBody, type Visitor } from '@pith-mcp/door'
import { setCookie } from '../console/cookie.ts'
import { version } from '../version.ts'
import { answerOperation, basePath } from './answer-operation.ts'
import type { ApiContext } from './context.ts'
import { given, parsed } from './given.ts'
import { openApi } from './openapi.ts'
import { ApiError, problemOf } from './problem.ts'
import { signIn } from './schemas/session.ts'

export interface ApiRoutesOptions {
  context: ApiContext
  admission: Admission
  /** Whether a code of a link is good. */
  isGoodCode: (code: string) => boolean
  cookie: { name: () => string; isSecure: boolean }
}

const signInBounds = { bytes: 4_096, ms: 10_000 }
const bodyBounds = { bytes: 4 * 1024 * 1024, ms: 20_000 }
const owner: Visitor = { kind: 'owner', scopes: new Set(['mcp', 'console:read', 'console']) }
const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** The API of the console and of whoever else has a token for it. */
export function apiRoutes(options: ApiRoutesOptions): readonly Route[] {
  const { context, admission, isGoodCode, cookie } = options
  const { sessions, aggregator } = context

  function fail(error: unknown, response: ServerResponse): void {
    if (error instanceof RefusedError) throw error
    void send(problemOf(error, aggregator.serving.recording.hide), response)
  }

  /** Whom a sign-in is of. @throws {RefusedError | ApiError} */
  async function whoSignsIn(request: IncomingMessage): Promise<{
    visitor: Visitor
    isStillIn?: () => boolean
  }> {
    if (request.headers.authorization !== undefined) {
      const visitor = await admission.visitorOf(request, 'console:read')
      if (visitor.scopes.has('console:read'))
        return { visitor, isStillIn: () => admission.isStillIn(visitor) }
      throw new ApiError(
        403,
        'not_for_consoles',
        'That token is not for the console.',
        'Make one with: aggregator-mcp token create NAME --scope console',
      )
    }
    const body = (await readBody(request, signInBounds)).toString()
    const { code = '' } = given(signIn, parsed(body), 'body') as { code?: string }
    if (isGoodCode(code)) return { visitor: owner }
    throw new RefusedError(
      'bad_code',
      401,
      'The link was used already, or is older than 10 minutes. aggregator-mcp console makes another.',
    )
  }

  const session: Route = {
    name: 'session',
    matches: (path) => path === `${basePath}/session`,
    scope: (method) => (method === 'POST' ? 'public' : 'console:read'),
    methods: ['GET', 'POST', 'DELETE'],
    replies: 'data',
    async handle(request, response, visitor) {
      const leave = (value: string): void =>
        void response.setHeader('set-cookie', setCookie(cookie.name(), value, cookie.isSecure))
      try {
        if (request.method === 'GET') return await answer(request, response, visitor)
        if (request.method === 'DELETE') {
          sessions.end(visitor)
          leave('')
          response.writeHead(204).end()
          return
        }
        const { visitor: own, isStillIn } = await whoSignsIn(request)
        const { cookie: value, proof } = sessions.open(own, isStillIn)
        leave(value)
        await send(Response.json({ proof }), response)
      } catch (error) {
        fail(error, response)
      }
    },
  }

  const events: Route = {
    name: 'events',
    matches: (path) => path === `${basePath}/events`,
    scope: 'console:read',
    methods: ['GET'],
    replies: 'data',
    isEndless: () => true,
    handle: (_, response, visitor) => stream(response, visitor, options),
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

  return [session, events, description, rest]
}

/** Of one who reads slower than it is written: it is to come again, and gets what is then. */
const mostWaiting = 4 * 1024 * 1024
const checkMs = 1_000

function stream(
  response: ServerResponse,
  visitor: Visitor,
  { context, admission }: ApiRoutesOptions,
): void {
  const { live, startedAt } = context
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  const hello = { version, startedAt }
  response.write(`retry: 2000\n\nevent: hello\ndata: ${JSON.stringify(hello)}\n\n`)
  const stop = live.watch((text) => {
    if (response.writableLength > mostWaiting) response.destroy()
    else response.write(text)
  })
  const check = setInterval(() => {
    if (!admission.isStillIn(visitor)) response.end()
  }, checkMs)
  check.unref()
  response.once('close', () => {
    clearInterval(check)
    stop()
  })
}

async function send(reply: Response, response: ServerResponse): Promise<void> {
  const body = Buffer.from(await reply.arrayBuffer())
  for (const [name, value] of reply.headers) response.setHeader(name, value)
  response.writeHead(reply.status).end(body)
}
