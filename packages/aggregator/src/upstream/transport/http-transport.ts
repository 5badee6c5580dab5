import {
  extractWWWAuthenticateParams,
  InsufficientScopeError,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import type { HttpServer } from '#servers/config/server-config'
import type { TokenSource } from '#servers/connection/connection'
import { RenewalFailed, SignInNeeded } from '#servers/connection/sign-in-needed'
import { challengeIn } from '#servers/protocol/challenge'
import { withAnswers } from './http-answers.ts'

/** An HTTP transport that sends the current token with each request. */
export function httpTransport(server: HttpServer, tokens: TokenSource | undefined): Transport {
  const url = new URL(server.url)
  const requestInit = { headers: { ...server.headers } }
  const { fetch: send = fetch, ...auth } = tokens ? withTokens(tokens, server.type) : {}
  const options = { requestInit, ...auth, fetch: withAnswers(send) }
  if (server.type === 'sse') return new SSEClientTransport(url, options)
  const onInsufficientScope = 'throw'
  return new StreamableHTTPClientTransport(url, { ...options, onInsufficientScope }) as Transport
}

/**
 * Not the SDK's own fetch: it would send the server's headers to any address that the server names.
 */
function withTokens(tokens: TokenSource, type: HttpServer['type']) {
  /** The token sent with the request of a response. */
  const sent = new WeakMap<Response, string | undefined>()
  return {
    async fetch(url: string | URL, init?: RequestInit): Promise<Response> {
      const response = await fetch(url, init)
      const header = new Headers(init?.headers).get('authorization')
      sent.set(response, header?.replace(/^Bearer /, ''))
      // The SDK's Streamable HTTP transport detects this itself.
      if (type === 'sse' && response.status === 403) {
        const { error, scope } = extractWWWAuthenticateParams(response)
        if (error === 'insufficient_scope') throw notEnough(scope)
      }
      return response
    },
    authProvider: {
      token: () => tokens.token(),
      onUnauthorized: ({ response }: { response: Response }) =>
        tokens.renew(sent.get(response), challengeIn(response)),
    },
  }
}

/** The authorization error in a chain of causes, if there is one. */
export function authorizationErrorIn(
  error: unknown,
  tokens: TokenSource | undefined,
): SignInNeeded | RenewalFailed | undefined {
  if (tokens === undefined) return undefined
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof SignInNeeded || cause instanceof RenewalFailed) return cause
    if (InsufficientScopeError.isInstance(cause)) return notEnough(cause.requiredScope)
    if (cause instanceof SdkHttpError && cause.status === 401)
      return new SignInNeeded('it rejects a valid token')
  }
  return undefined
}

const notEnough = (scope: string | undefined): SignInNeeded =>
  new SignInNeeded(
    `the granted scope is not sufficient${scope === undefined ? '' : `; it requires the scope ${scope}`}`,
    scope,
  )
