import {
  extractWWWAuthenticateParams,
  InsufficientScopeError,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import type { HttpServer } from '../../config/server-config.ts'
import type { TokenSource } from '../connection/connection.ts'
import { RenewalFailed, SignInNeeded } from '../connection/sign-in-needed.ts'
import { challengeIn } from '../oauth/sdk-protocol.ts'

/** To a server over HTTP, with the token there is at each request. */
export function httpTransport(server: HttpServer, tokens: TokenSource | undefined): Transport {
  const url = new URL(server.url)
  const requestInit = { headers: { ...server.headers } }
  const options = { requestInit, ...(tokens && withTokens(tokens, server.type)) }
  if (server.type === 'sse') return new SSEClientTransport(url, options)
  const onInsufficientScope = 'throw'
  return new StreamableHTTPClientTransport(url, { ...options, onInsufficientScope }) as Transport
}

/** Not by the SDK's own fetch: that would send the headers of the server to whomever it names. */
function withTokens(tokens: TokenSource, type: HttpServer['type']) {
  /** What was refused is known by its answer. */
  const sent = new WeakMap<Response, string | undefined>()
  return {
    async fetch(url: string | URL, init?: RequestInit): Promise<Response> {
      const response = await fetch(url, init)
      const header = new Headers(init?.headers).get('authorization')
      sent.set(response, header?.replace(/^Bearer /, ''))
      // The SDK's other transport says so by itself.
      if (type === 'sse' && response.status === 403) {
        const { error, scope } = extractWWWAuthenticateParams(response)
        if (error === 'insufficient_scope') throw notEnough(scope)
      }
      return response
    },
    authProvider: {
      token: tokens.token,
      onUnauthorized: ({ response }: { response: Response }) =>
        tokens.renew(sent.get(response), challengeIn(response)),
    },
  }
}

/** What an error says of the authorization, however it came; undefined when it says nothing. */
export function authorizationErrorIn(
  error: unknown,
  tokens: TokenSource | undefined,
): SignInNeeded | RenewalFailed | undefined {
  if (tokens === undefined) return undefined
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof SignInNeeded || one instanceof RenewalFailed) return one
    if (InsufficientScopeError.isInstance(one)) return notEnough(one.requiredScope)
    if (one instanceof SdkHttpError && one.status === 401)
      return new SignInNeeded('it refuses the token that it should take')
  }
  return undefined
}

const notEnough = (scope: string | undefined): SignInNeeded =>
  new SignInNeeded(
    `what was granted is not enough${scope === undefined ? '' : `; it asks for the scope ${scope}`}`,
    scope,
  )
