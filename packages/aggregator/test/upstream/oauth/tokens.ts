import { createHash } from 'node:crypto'
import { refusal } from './refusal.ts'
import type { AuthorizationSettings } from './settings.ts'

/** What came of one sign-in: all its tokens end together. */
export interface Grant {
  id: number
  user: string
  clientId: string
  resource: string
  scopes: string[]
  isRevoked: boolean
}

interface Code extends Grant {
  redirectUri: string
  challenge: string
  expiresAt: number
  wasUsed: boolean
}

/** Tokens that were given out, in order. */
export interface Issued {
  by: 'authorization_code' | 'refresh_token'
  grant: Grant
  scopes: string[]
  accessToken: string
  refreshToken: string | undefined
  expiresAt: number
}

const codeMs = 60_000

export function createTokens(settings: AuthorizationSettings) {
  const codes = new Map<string, Code>()
  const access = new Map<string, Issued>()
  const refresh = new Map<string, { grant: Grant; wasUsed: boolean }>()
  const issued: Issued[] = []
  let grants = 0

  function issue(by: Issued['by'], grant: Grant, scopes: string[], refreshToken?: string): Issued {
    const one: Issued = {
      by,
      grant,
      scopes,
      accessToken: `access-${issued.length + 1}-${crypto.randomUUID()}`,
      refreshToken,
      expiresAt: Date.now() + settings.accessTokenMs,
    }
    issued.push(one)
    access.set(one.accessToken, one)
    if (refreshToken !== undefined && !refresh.has(refreshToken))
      refresh.set(refreshToken, { grant, wasUsed: false })
    return one
  }

  const newRefreshToken = (): string => `refresh-${refresh.size + 1}-${crypto.randomUUID()}`

  return {
    issued,
    createCode(fields: Omit<Code, 'id' | 'isRevoked' | 'expiresAt' | 'wasUsed'>): string {
      const code = crypto.randomUUID()
      const expiresAt = Date.now() + codeMs
      codes.set(code, { ...fields, id: ++grants, isRevoked: false, expiresAt, wasUsed: false })
      return code
    },
    redeem(clientId: string, params: URLSearchParams, mayRefresh: boolean): Issued {
      const code = codes.get(params.get('code') ?? '')
      if (code === undefined || code.clientId !== clientId || code.expiresAt < Date.now())
        throw refusal('invalid_grant', 'the code is not known')
      if (code.wasUsed) {
        code.isRevoked = true
        throw refusal('invalid_grant', 'the code was used before')
      }
      // A code can be tried once, whatever comes of it.
      code.wasUsed = true
      if (params.get('redirect_uri') !== code.redirectUri)
        throw refusal('invalid_grant', 'the redirect_uri is another than that of the request')
      const verifier = params.get('code_verifier') ?? ''
      if (!/^[\w.~-]{43,128}$/.test(verifier) || challengeOf(verifier) !== code.challenge)
        throw refusal('invalid_grant', 'the code_verifier is wrong')
      if (params.get('resource') !== code.resource)
        throw refusal('invalid_target', 'the resource is another than that of the request')
      const mayRenew = mayRefresh && settings.refreshTokens !== 'none'
      const refreshToken = mayRenew ? newRefreshToken() : undefined
      return issue('authorization_code', code, code.scopes, refreshToken)
    },
    renew(clientId: string, params: URLSearchParams): Issued {
      const given = params.get('refresh_token') ?? ''
      const known = refresh.get(given)
      if (known === undefined || known.grant.clientId !== clientId || known.grant.isRevoked)
        throw refusal('invalid_grant', 'the refresh token is not known')
      if (known.wasUsed) {
        known.grant.isRevoked = true
        throw refusal('invalid_grant', 'the refresh token was used before')
      }
      if (params.get('resource') !== known.grant.resource)
        throw refusal('invalid_target', 'the resource is another than that of the grant')
      const scopes = params.get('scope')?.split(' ') ?? known.grant.scopes
      if (!scopes.every((scope) => known.grant.scopes.includes(scope)))
        throw refusal('invalid_scope', 'more than was granted')
      known.wasUsed = settings.refreshTokens === 'rotating'
      const next = known.wasUsed ? newRefreshToken() : given
      return issue('refresh_token', known.grant, scopes, next)
    },
    /** What a resource server is told about a token: nothing unless it is good for just this one. */
    verify(accessToken: string, resource: string): Issued | undefined {
      const known = access.get(accessToken)
      const isOk =
        known?.grant.resource === resource && !known.grant.isRevoked && known.expiresAt > Date.now()
      return isOk ? known : undefined
    },
    /** RFC 7009: tokens that are not known are as good as revoked. */
    revoke(clientId: string, token: string): void {
      const grant = refresh.get(token)?.grant ?? access.get(token)?.grant
      if (grant?.clientId === clientId) grant.isRevoked = true
    },
    /** As an administrator would. */
    revokeUser(user: string): void {
      for (const { grant } of issued) if (grant.user === user) grant.isRevoked = true
    },
    /** All access tokens of now end; refresh tokens stay. */
    expire(): void {
      for (const one of issued) one.expiresAt = 0
    },
  }
}

const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')
