import type { StoredToken } from './token-file.ts'

/** Whether a token is valid at a time, in milliseconds since 1970. */
export const stateOf = (
  { revokedAt, expiresAt }: StoredToken,
  now: number,
): 'active' | 'expired' | 'revoked' => {
  if (revokedAt !== undefined) return 'revoked'
  return expiresAt !== undefined && Date.parse(expiresAt) <= now ? 'expired' : 'active'
}
