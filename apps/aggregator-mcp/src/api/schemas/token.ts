import { z } from 'zod'
import { named } from './named.ts'
import { scope } from './session.ts'

export const accessToken = named('AccessToken', {
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

export const newToken = named('NewToken', {
  name: z.string().min(1).max(64),
  profile: z.string().optional(),
  scopes: z.array(scope).min(1).default(['mcp']),
  expires: z.string().optional().describe('90d, 12h, or a time in ISO 8601.'),
})

export const createdToken = accessToken
  .extend({
    token: z.string().describe('The token. It is not shown again: only its hash is stored.'),
  })
  .meta({ id: 'CreatedToken' })
