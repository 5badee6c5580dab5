import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Authenticator,
  allScopes,
  type Principal,
  RejectedError,
  type Route,
  readBody,
} from '@pith-mcp/server-kit'
import { type ConsoleSessions, setCookie } from '../session/console-sessions.ts'
import { actorOf } from './actor-of.ts'
import { answerOperations, basePath } from './answer-operation.ts'
import { type Api, type ApiOperation, scopeOf } from './api.ts'
import { createStreams, type LiveFeed } from './live/live-feed.ts'
import { openApi } from './openapi.ts'
import { parseBody, problemOf } from './problem.ts'
import { RequestError } from './request-error.ts'
import { signIn } from './sign-in.ts'

const bodyBounds = { bytes: 4 * 1024 * 1024, ms: 20_000 }

export interface ApiRoutesOptions<Row extends ApiOperation> {
  api: Api<Row>
  live: LiveFeed
  sessions: ConsoleSessions
  authenticator: Authenticator
  /** Whether the code of a sign-in link is valid. */
  isGoodCode: (code: string) => boolean | Promise<boolean>
  cookie: { name: () => string; isSecure: boolean }
}

/** The API of the console, and of other clients with a token for it. */
export function apiRoutes<Row extends ApiOperation>(
  options: ApiRoutesOptions<Row>,
): readonly Route[] {
  const { api, live } = options
  const operations = answerOperations(api)

  function fail(error: unknown, response: ServerResponse): void {
    if (error instanceof RejectedError) throw error
    const problem = problemOf(error, api)
    sendJson(response, problem, problem.status, 'application/problem+json')
  }

  const stream = createStreams(live, api)
  const reading = { scope: 'console:read', methods: ['GET'], replies: 'data' } as const
  const events: Route = {
    ...reading,
    name: 'events',
    matches: (path) => path === `${basePath}/events`,
    isStream: () => true,
    handle: (_, response, principal) => stream(response, principal),
  }

  const description: Route = {
    ...reading,
    name: 'openapi',
    matches: (path) => path === `${basePath}/openapi.json`,
    handle: (_, response) => sendJson(response, openApi(api)),
  }

  const rest: Route = {
    name: 'api',
    matches: (path) => path === '/api' || path.startsWith('/api/'),
    scope: scopeOf,
    methods: operations.methodsAt,
    replies: 'data',
    handle: answer,
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
      const body = method === 'GET' ? undefined : (await readBody(request, bodyBounds)).toString()
      const apiRequest = { method, url, body, principal, signal: disconnected.signal }
      const value = await operations.answer(apiRequest)
      if (value === undefined) response.writeHead(204).end()
      else sendJson(response, value)
    } catch (error) {
      fail(error, response)
    }
  }

  return [sessionRoute(options, answer, fail), events, description, rest]
}

const signInBounds = { bytes: 4_096, ms: 10_000 }
const owner: Principal = { kind: 'owner', scopes: new Set(allScopes) }

/** Signing in and out. `GET /session` is an ordinary operation, run by `answer`. */
function sessionRoute<Row extends ApiOperation>(
  { api, sessions, authenticator, isGoodCode, cookie }: ApiRoutesOptions<Row>,
  answer: NonNullable<Route['handle']>,
  fail: (error: unknown, response: ServerResponse) => void,
): Route {
  /** The principal that signs in. @throws {RejectedError | RequestError} */
  async function authenticateSignIn(request: IncomingMessage): Promise<Principal> {
    if (request.headers.authorization !== undefined) {
      const principal = await authenticator.authenticate(request, 'console:read')
      if (principal.scopes.has('console:read')) return principal
      throw new RequestError({
        status: 403,
        code: 'not_for_consoles',
        message: 'The token does not have the scope console:read.',
        remedy: 'Create one with: aggregator-mcp token create NAME --scope console',
      })
    }
    const body = (await readBody(request, signInBounds)).toString()
    const { code = '' } = api.validate(signIn, parseBody(body), 'body') as { code?: string }
    if (await isGoodCode(code)) return owner
    throw new RejectedError(
      'bad_code',
      401,
      'The link was already used, or is older than 10 minutes. Get a new one with: aggregator-mcp console',
    )
  }

  return {
    name: 'session',
    matches: (path) => path === `${basePath}/session`,
    scope: (method) => (method === 'POST' ? 'public' : 'console:read'),
    methods: ['GET', 'POST', 'DELETE'],
    replies: 'data',
    async handle(request, response, principal) {
      const writeCookie = (value: string): void =>
        void response.setHeader('set-cookie', setCookie(cookie.name(), value, cookie.isSecure))
      try {
        if (request.method === 'GET') return await answer(request, response, principal)
        if (request.method === 'DELETE') {
          const act = { ...actorOf(principal), tool: 'DELETE /session' }
          await api.record(act, () => sessions.end(principal))
          writeCookie('')
          response.writeHead(204).end()
          return
        }
        const signedIn = await authenticateSignIn(request)
        const act = { ...actorOf(signedIn), via: 'console', tool: 'POST /session' } as const
        const { cookie: value, proof } = await api.record(act, () => sessions.open(signedIn))
        writeCookie(value)
        sendJson(response, { proof })
      } catch (error) {
        fail(error, response)
      }
    },
  }
}

function sendJson(
  response: ServerResponse,
  value: unknown,
  status = 200,
  type = 'application/json',
): void {
  response.writeHead(status, { 'content-type': type }).end(JSON.stringify(value))
}
