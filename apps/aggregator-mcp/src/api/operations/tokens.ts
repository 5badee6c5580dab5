import type { StoredToken, Tokens } from '@pith-mcp/server-kit'
import { z } from 'zod'
import { expiryOf } from '../../since.ts'
import { type ApiContext, checkProfile } from '../operation/context.ts'
import { type Operation, operation } from '../operation/operation.ts'
import { ApiError, notFound } from '../operation/problem.ts'
import { named } from '../schemas/named.ts'
import { scope } from './session.ts'

const accessToken = named('AccessToken', {
  id: z.string(),
  name: z.string(),
  profile: z.string().optional(),
  scopes: z.array(scope),
  createdAt: z.string(),
  expiresAt: z.string().optional(),
  revokedAt: z.string().optional(),
  lastUsedAt: z.string().optional(),
  state: z.enum(['valid', 'expired', 'revoked']),
})

const newToken = named('NewToken', {
  name: z.string().min(1).max(64),
  profile: z.string().optional(),
  scopes: z.array(scope).min(1).default(['mcp']),
  expires: z.string().optional().describe('90d, 12h, or a time in ISO 8601.'),
})

const createdToken = accessToken
  .extend({
    token: z.string().describe('The token. It is not shown again: only its hash is stored.'),
  })
  .meta({ id: 'CreatedToken' })

const tag = 'tokens'

export const tokenOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/tokens',
    tag,
    summary: 'List access tokens, without the secrets.',
    answer: z.object({ tokens: z.array(accessToken) }),
    run: (_, { state: { tokens } }) => ({ tokens: (tokens?.list() ?? []).map(described) }),
  }),
  operation({
    method: 'post',
    path: '/tokens',
    tag,
    summary:
      'Create an access token. The reply shows it once. From the first token on, all requests need a credential.',
    body: newToken,
    as: ({ body: { name } }) => `token create ${name}`,
    answer: createdToken,
    async run({ body }, context) {
      const { name, profile, scopes, expires } = body
      checkProfile(profile, context)
      const { token, stored } = await keptTokens(context).create({
        name,
        profile,
        scopes,
        expiresAt: expires === undefined ? undefined : expiryOf(expires, 'body.expires'),
      })
      context.live.changed('tokens')
      return { ...described(stored), token }
    },
  }),
  operation({
    method: 'delete',
    path: '/tokens/{id}',
    tag,
    summary: 'Revoke a token. It stops working immediately.',
    params: z.object({ id: z.string() }),
    as: ({ params: { id } }) => `token revoke ${id}`,
    async run({ params: { id } }, context) {
      const tokens = keptTokens(context)
      if (!tokens.list().some((token) => token.id === id)) throw notFound(`token ${id}`)
      await tokens.revoke(id)
      context.live.changed('tokens')
    },
  }),
]

function keptTokens({ state: { tokens } }: ApiContext): Tokens {
  if (tokens) return tokens
  throw new ApiError(
    409,
    'no_state',
    'Tokens are not stored with --no-state.',
    'Restart without it.',
  )
}

function described(token: StoredToken): z.input<typeof accessToken> {
  const { scopes, expiresAt, revokedAt } = token
  const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()
  return {
    ...token,
    scopes: [...scopes],
    state: revokedAt !== undefined ? 'revoked' : isOver ? 'expired' : 'valid',
  }
}
