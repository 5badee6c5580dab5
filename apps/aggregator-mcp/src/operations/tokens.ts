import { type StoredToken, stateOf, storedToken, type Tokens } from '@pith-mcp/server-kit'
import { z } from 'zod'
import { expiryOf, overlapMs } from '../since.ts'
import { checkProfile, type StateContext } from './context.ts'
import { component, type Operation, operation } from './operation.ts'
import { ApiError, notFound } from './problem.ts'
import { scope } from './session.ts'

const accessToken = storedToken
  .extend({ state: z.enum(['valid', 'expired', 'revoked']) })
  .meta({ id: 'AccessToken' })

const newToken = component('NewToken', {
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

export const listTokens = operation({
  method: 'get',
  path: '/tokens',
  summary: 'List access tokens, without the secrets.',
  answer: z.object({ tokens: z.array(accessToken) }),
  run: (_, { state: { tokens } }: StateContext) => ({
    tokens: (tokens?.list() ?? []).map(described),
  }),
})

export const createToken = operation({
  method: 'post',
  path: '/tokens',
  summary:
    'Create an access token. The reply shows it once. From the first token on, all requests need a credential.',
  body: newToken,
  scope: 'console:admin',
  audit: ({ name }) => `token create ${name}`,
  answer: createdToken,
  async run({ name, profile, scopes, expires }, context: StateContext) {
    checkProfile(profile, context)
    const { token, record } = await tokensOf(context).create({
      name,
      profile,
      scopes,
      expiresAt: expires === undefined ? undefined : expiryOf(expires, 'body.expires'),
    })
    context.changed('tokens')
    return { ...described(record), token }
  },
})

const rotation = component('TokenRotation', {
  overlap: z
    .string()
    .default('24h')
    .describe('How long the value before stays valid, such as 24h; 0m ends it at once.'),
  expires: z
    .string()
    .optional()
    .describe('90d, 12h, or a time in ISO 8601. Default: the same lifetime from now.'),
})

export const rotateToken = operation({
  method: 'post',
  path: '/tokens/{id}/rotate',
  summary:
    'Replace the value of a token. Its id, name, profile and scopes stay; the value before is valid for a while.',
  body: rotation,
  scope: 'console:admin',
  audit: ({ id }) => `token rotate ${id}`,
  answer: createdToken,
  async run({ id, overlap, expires }, context: StateContext) {
    const { token, record } = await tokensOf(context).rotate(id, {
      overlapMs: overlapMs(overlap, 'body.overlap'),
      expiresAt: expires === undefined ? undefined : expiryOf(expires, 'body.expires'),
    })
    context.changed('tokens')
    return { ...described(record), token }
  },
})

export const revokeToken = operation({
  method: 'delete',
  path: '/tokens/{id}',
  summary: 'Revoke a token. It stops working immediately.',
  scope: 'console:admin',
  audit: ({ id }) => `token revoke ${id}`,
  async run({ id }, context: StateContext) {
    const tokens = tokensOf(context)
    if (!tokens.list().some((token) => token.id === id || token.name === id))
      throw notFound(`token ${JSON.stringify(id)}`)
    const revoked = await tokens.revoke(id)
    context.changed('tokens')
    return revoked
  },
})

export const tokenOperations: readonly Operation[] = [
  listTokens,
  createToken,
  rotateToken,
  revokeToken,
]

function tokensOf({ state: { tokens } }: StateContext): Tokens {
  if (tokens) return tokens
  throw new ApiError(
    409,
    'no_state',
    'Tokens are not stored with --no-state.',
    'Restart without it.',
  )
}

/** A stored token with its state. */
export const described = (token: StoredToken): z.input<typeof accessToken> => ({
  ...token,
  state: stateOf(token, Date.now()),
})
