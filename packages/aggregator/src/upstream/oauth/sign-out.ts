import { unitName } from '../../protocol/unit.ts'
import { type Grant, keyOf } from './credential.ts'
import type { SignInEntry } from './sign-in-entries.ts'
import type { SignInContext } from './start-sign-in.ts'
import { revokeTokens } from './token-requests.ts'

/**
 * `revoked`: the authorization server revoked the tokens. `forgotten`: they were only deleted here.
 */
export type SignedOut = 'none' | 'forgotten' | 'revoked'

/** Deletes the tokens of a server, then asks its authorization server to revoke them. */
export async function signOut(
  server: SignInEntry['server'],
  { options: { store }, fetchFor, secrets, onLog }: SignInContext,
): Promise<SignedOut> {
  const key = keyOf(server)
  const unit = unitName(server)
  let grant: Grant | undefined
  try {
    await store.change(key, (stored) => {
      grant = stored?.grant
      const { registration, issuer } = stored ?? {}
      const isEmpty = registration === undefined && issuer === undefined
      return isEmpty ? undefined : { registration, issuer }
    })
  } catch (error) {
    const { message } = error as Error
    onLog(`The stored credential of ${unit} cannot be read and is removed: ${message}.`)
    await store.remove(key)
  }
  if (grant === undefined) return 'none'
  secrets.learn({ grant })
  const isRevoked = await revokeTokens(grant, fetchFor(server)).catch((error: Error) => {
    onLog(`${unit}: The tokens were not revoked: ${error.message}.`)
    return false
  })
  return isRevoked ? 'revoked' : 'forgotten'
}
