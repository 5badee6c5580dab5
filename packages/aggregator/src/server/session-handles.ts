import { randomBytes, randomUUID } from 'node:crypto'
import { ownedBy, withoutReplica } from '../protocol/handles.ts'
import { encrypt, keyLength, open } from '../upstream/oauth/encrypt.ts'

export type SessionHandles = ReturnType<typeof createSessionHandles>

/**
 * Handles of sessions for clients of 2026, which have none: issued with a list of tools, sealed for
 * their principal, and ended with this process.
 */
export function createSessionHandles(replica: string | undefined) {
  const key = randomBytes(keyLength)
  const purposeOf = (principal: string): string => `session of ${principal}`
  return {
    issue: (principal: string): string =>
      ownedBy(replica, encrypt(randomUUID(), key, purposeOf(principal))),
    /** The id of the session; undefined for a handle of another principal or process. */
    open(handle: string, principal: string) {
      try {
        return open(withoutReplica(handle), key, purposeOf(principal))
      } catch {
        return undefined
      }
    },
  }
}
