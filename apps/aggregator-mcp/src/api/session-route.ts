import type { IncomingMessage, ServerResponse } from 'node:http'
import { RefusedError, type Route, readBody, type Visitor } from '@pith-mcp/door'
import { setCookie } from '../session/cookie.ts'
import { basePath } from './answer-operation.ts'
import type { ApiRoutesOptions } from './operation/context.ts'
import { given, parsed } from './operation/given.ts'
import { ApiError } from './operation/problem.ts'
import { signIn } from './schemas/session.ts'
import { send } from './send.ts'

const bodyBounds = { bytes: 4_096, ms: 10_000 }
const owner: Visitor = { kind: 'owner', scopes: new Set(['mcp', 'console:read', 'console']) }

/** Signing in and out. Who one is, is answered as all else is. */
export function sessionRoute(
  { context: { sessions }, admission, isGoodCode, cookie }: ApiRoutesOptions,
  answer: NonNullable<Route['handle']>,
  fail: (error: unknown, response: ServerResponse) => void,
): Route {
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
    const body = (await readBody(request, bodyBounds)).toString()
    const { code = '' } = given(signIn, parsed(body), 'body') as { code?: string }
    if (isGoodCode(code)) return { visitor: owner }
    throw new RefusedError(
      'bad_code',
      401,
      'The link was used already, or is older than 10 minutes. aggregator-mcp console makes another.',
    )
  }

  return {
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
}
