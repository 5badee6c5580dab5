import type { FileTokens, StoredToken } from '@pith-mcp/door'
import { z } from 'zod'
import { sinceMs } from '../../since.ts'
import type { ApiContext } from '../operation/context.ts'
import { type Operation, operation } from '../operation/operation.ts'
import { ApiError, notFound } from '../operation/problem.ts'
import { accessToken, createdToken, newToken } from '../schemas/token.ts'

const tag = 'tokens'

export const tokenOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/tokens',
    tag,
    summary: 'Tokens by which clients and consoles come in; not the tokens themselves.',
    answer: z.object({ tokens: z.array(accessToken) }),
    run: (_, { tokens }) => ({ tokens: (tokens?.list() ?? []).map(described) }),
  }),
  operation({
    method: 'post',
    path: '/tokens',
    tag,
    summary:
      'Make a token, which is shown this once. From the first on nobody comes in without one.',
    body: newToken,
    answer: createdToken,
    run({ body }, context) {
      const { name, profile, scopes, expires } = body
      if (
        profile !== undefined &&
        !Object.hasOwn(context.config().settings.profiles ?? {}, profile)
      )
        throw notFound(`profile ${JSON.stringify(profile)}`)
      if (profile !== undefined && scopes.some((scope) => scope !== 'mcp'))
        throw new ApiError(
          400,
          'bad_request',
          'The console shows all profiles.',
          'Leave the profile out, or the console scopes.',
        )
      const { token, stored } = keptTokens(context).create({
        name,
        profile,
        scopes,
        expiresAt: expires === undefined ? undefined : endOf(expires),
      })
      context.live.changed('tokens')
      return { ...described(stored), token }
    },
  }),
  operation({
    method: 'delete',
    path: '/tokens/{id}',
    tag,
    summary: 'Revoke a token; whoever has it is out at once.',
    params: z.object({ id: z.string() }),
    run({ params: { id } }, context) {
      const tokens = keptTokens(context)
      if (!tokens.list().some((token) => token.id === id)) throw notFound(`token ${id}`)
      tokens.revoke(id)
      context.live.changed('tokens')
    },
  }),
]

function keptTokens({ tokens }: ApiContext): FileTokens {
  if (tokens) return tokens
  throw new ApiError(409, 'no_state', 'Nothing is kept with --no-state.', 'Start it without.')
}

/** As long as the command line lets one be. */
const longestMs = 3_650 * 86_400_000

/** @throws {ApiError} */
function endOf(expires: string): number {
  const ms = /^\d+[dhm]$/.test(expires) ? sinceMs(expires) : undefined
  const at = ms === undefined ? Date.parse(expires) : Date.now() + ms
  if (!(at > Date.now() && at < Date.now() + longestMs))
    throw new ApiError(
      400,
      'bad_request',
      `expires ${expires}: write 90d, 12h or a time to come, within ten years.`,
    )
  return at
}

function described(token: StoredToken): z.input<typeof accessToken> {
  const { id, name, profile, scopes, createdAt, expiresAt, revokedAt, lastUsedAt } = token
  const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()
  return {
    id,
    name,
    profile,
    scopes: [...scopes],
    createdAt,
    expiresAt,
    revokedAt,
    lastUsedAt,
    state: revokedAt !== undefined ? 'revoked' : isOver ? 'expired' : 'valid',
  }
}
