import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Principal, RejectedError, type Route, readBody } from '@pith-mcp/server-kit'
import { actorOf, recordAdmin } from '../open/record-admin.ts'
import { setCookie } from '../session/cookie.ts'
import { basePath } from './answer-operation.ts'
import type { ApiRoutesOptions } from './operation/context.ts'
import { ApiError } from './operation/problem.ts'
import { parseBody, validateInput } from './operation/validate-input.ts'
import { signIn } from './schemas/session.ts'
import { sendJson } from './send-json.ts'

const bodyBounds = { bytes: 4_096, ms: 10_000 }
const owner: Principal = { kind: 'owner', scopes: new Set(['mcp', 'console:read', 'console']) }

/** Signing in and out. `GET /session` is an ordinary operation, run by `answer`. */
export function sessionRoute(
  { context, authenticator, isGoodCode, cookie }: ApiRoutesOptions,
  answer: NonNullable<Route['handle']>,
  fail: (error: unknown, response: ServerResponse) => void,
): Route {
  /** The principal that signs in. @throws {RejectedError | ApiError} */
  async function authenticateSignIn(request: IncomingMessage): Promise<{
    principal: Principal
    isStillValid?: () => boolean
  }> {
    if (request.headers.authorization !== undefined) {
      const principal = await authenticator.authenticate(request, 'console:read')
      if (principal.scopes.has('console:read'))
        return { principal, isStillValid: () => authenticator.isStillValid(principal) }
      throw new ApiError(
        403,
        'not_for_consoles',
        'The token does not have the scope console:read.',
        'Create one with: aggregator-mcp token create NAME --scope console',
      )
    }
    const body = (await readBody(request, bodyBounds)).toString()
    const { code = '' } = validateInput(signIn, parseBody(body), 'body') as { code?: string }
    if (isGoodCode(code)) return { principal: owner }
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
          await recordAdmin(act, context, () => context.sessions.end(principal))
          writeCookie('')
          response.writeHead(204).end()
          return
        }
        const { principal: signedIn, isStillValid } = await authenticateSignIn(request)
        const act = { ...actorOf(signedIn), via: 'console', tool: 'POST /session' }
        const { cookie: value, proof } = await recordAdmin(act, context, () =>
          context.sessions.open(signedIn, isStillValid),
        )
        writeCookie(value)
        sendJson(response, { proof })
      } catch (error) {
        fail(error, response)
      }
    },
  }
}
