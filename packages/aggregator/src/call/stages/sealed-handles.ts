import { randomBytes } from 'node:crypto'
import { ownedBy, withoutReplica } from '#servers/protocol/handles'
import { encrypt, keyLength, open } from '#servers/secrets/encrypt'

export type SealedHandles = ReturnType<typeof createSealedHandles>

/**
 * Texts as handles for clients: they cannot be guessed, only their owner can use them, and they end
 * with this process. A handle of one `kind` cannot be opened as another.
 */
export function createSealedHandles(
  kind: 'session' | 'task',
  replica: string | undefined,
  key: Buffer = randomBytes(keyLength),
) {
  const purposeOf = (owner: string): string => `${kind} of ${owner}`
  return {
    seal: (text: string, owner: string): string =>
      ownedBy(replica, encrypt(text, key, purposeOf(owner))),
    /** Undefined for a handle of another owner or process. */
    open(handle: string, owner: string): string | undefined {
      try {
        return open(withoutReplica(handle), key, purposeOf(owner))
      } catch {
        return undefined
      }
    },
  }
}
