import { unitName } from '../../protocol/unit.ts'
import type { Fetch } from './bounded-fetch.ts'
import { type Grant, keyOf } from './credential.ts'
import type { KnownSecrets } from './known-secrets.ts'
import type { SignInEntry } from './sign-in-entries.ts'
import { revokeTokens } from './token-requests.ts'
import type { TokenStore } from './token-store.ts'

/**
 * `revoked`: the authorization server revoked the tokens. `forgotten`: they were only deleted here.
 */
export type SignedOut = 'none' | 'forgotten' | 'revoked'

interface SignOutOptions {
  store: TokenStore
  /** A bounded fetch for the server's addresses. */
  fetch: Fetch
  learn: KnownSecrets['learn']
  onLog: (text: string) => void
}

/** Deletes the tokens of a server, then asks its authorization server to revoke them. */
export async function signOut(
  server: SignInEntry['server'],
  { store, fetch, learn, onLog }: SignOutOptions,
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
  learn({ grant })
  const isRevoked = await revokeTokens(grant, fetch).catch((error: Error) => {
    onLog(`${unit}: The tokens were not revoked: ${error.message}.`)
    return false
  })
  return isRevoked ? 'revoked' : 'forgotten'
}
