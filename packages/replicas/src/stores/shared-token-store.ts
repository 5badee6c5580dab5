import { attempt } from '#base/attempt'
import { type Credential, type CredentialKey, credential, nameOfKey } from '#oauth/credential'
import type { TokenStore } from '#oauth/token-store'
import { encrypt, open } from '#servers/secrets/encrypt'
import type { Documents } from '../documents.ts'
import type { Leases } from '../redis/leases.ts'

export interface SharedTokenStoreOptions {
  documents: Documents
  /** 32 bytes each, the same in all replicas: the first seals, each opens. */
  keys: readonly Buffer[]
  /** Without it, two replicas may sign in to one server at the same time. */
  leases?: Leases | undefined
  onLog: (text: string) => void
}

const kind = 'sign-ins'

/**
 * Credentials that replicas share, encrypted. `change` holds a lock on the row, so that only one
 * replica refreshes a token.
 */
export function createSharedTokenStore(options: SharedTokenStoreOptions): TokenStore {
  const { documents, keys, leases, onLog } = options
  const purposeOf = ({ unit, address }: CredentialKey): string => JSON.stringify([unit, address])
  /** Decrypted: each request reads its credential. */
  const opened = new Map<string, { sealed: string; credential: Credential | undefined }>()

  function unsealed(sealed: string | undefined, key: CredentialKey): Credential | undefined {
    if (sealed === undefined) return undefined
    const name = nameOfKey(key)
    const cached = opened.get(name)
    if (cached?.sealed === sealed) return cached.credential
    const [text = ''] = keys.flatMap((secret) =>
      attempt(() => [open(sealed, secret, purposeOf(key))], []),
    )
    const parsed = attempt(() => credential.parse(JSON.parse(text)), undefined)
    if (parsed === undefined)
      onLog(`The sign-in of ${key.unit} cannot be decrypted with PITH_CLUSTER_KEY; sign in again.`)
    opened.set(name, { sealed, credential: parsed })
    return parsed
  }

  return {
    read: async (key) => unsealed(documents.get(kind, nameOfKey(key)), key),
    async change(key, edit) {
      let result: Credential | undefined
      await documents.change<string>(kind, nameOfKey(key), async (sealed) => {
        const current = unsealed(sealed, key)
        result = await edit(current)
        if (result === current) return sealed
        return result && encrypt(JSON.stringify(result), keys[0] as Buffer, purposeOf(key))
      })
      return result
    },
    async remove(key) {
      await documents.change(kind, nameOfKey(key), () => undefined)
    },
    async claimSignIn(key) {
      const name = `sign-in ${nameOfKey(key)}`
      const lease = await leases?.acquire(name, JSON.stringify({ pid: process.pid }))
      if (lease !== undefined || leases === undefined)
        return {
          claim: {
            log: (url) => void lease?.note(JSON.stringify({ pid: process.pid, url })),
            release: () => void lease?.release(),
          },
        }
      leases.forget(name)
      const holder = await leases.holderOf(name)
      const { pid = 0, url } = JSON.parse(holder?.text ?? '{}') as { pid?: number; url?: string }
      return { elsewhere: { pid, url } }
    },
  }
}
