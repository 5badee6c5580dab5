import { type Credential, type CredentialKey, nameOfKey } from './credential.ts'

/** Exclusive right to sign in to a server. */
interface SignInClaim {
  /** Stores the URL at which the user signs in, for other processes. */
  log(url: string): void
  release(): void
}

/** A sign-in that another process is running. */
interface SignInElsewhere {
  pid: number
  url: string | undefined
}

/** Stores credentials. Concurrent processes must not overwrite each other's changes. */
export interface TokenStore {
  /** The latest version; undefined if nothing is stored. Rejects if it cannot be read. */
  read(key: CredentialKey): Promise<Credential | undefined>
  /**
   * Reads, edits and writes under a lock across processes. Resolves to what is stored then. Nothing
   * is written if `edit` returns its argument or rejects.
   */
  change(
    key: CredentialKey,
    edit: (
      current: Credential | undefined,
    ) => Promise<Credential | undefined> | Credential | undefined,
  ): Promise<Credential | undefined>
  /** Also removes credentials that cannot be read. */
  remove(key: CredentialKey): Promise<void>
  /** Grants at most one claim at a time, across processes. */
  claimSignIn(
    key: CredentialKey,
  ): Promise<{ claim: SignInClaim } | { claim?: undefined; elsewhere: SignInElsewhere }>
}

/** Stores credentials in memory, for one process. */
export function createMemoryTokenStore(): TokenStore {
  const credentials = new Map<string, Credential>()
  const turns = new Map<string, Promise<unknown>>()
  const claims = new Map<string, SignInElsewhere>()

  function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const done = (turns.get(name) ?? Promise.resolve()).then(work)
    turns.set(
      name,
      done.catch(() => {}),
    )
    return done
  }

  return {
    read: async (key) => credentials.get(nameOfKey(key)),
    change(key, edit) {
      const name = nameOfKey(key)
      return inTurn(name, async () => {
        const next = await edit(credentials.get(name))
        if (next === undefined) credentials.delete(name)
        else credentials.set(name, next)
        return next
      })
    },
    remove: async (key) => void credentials.delete(nameOfKey(key)),
    async claimSignIn(key) {
      const name = nameOfKey(key)
      const elsewhere = claims.get(name)
      if (elsewhere) return { elsewhere }
      const claim: SignInElsewhere = { pid: process.pid, url: undefined }
      claims.set(name, claim)
      return {
        claim: {
          log(url) {
            claim.url = url
          },
          release: () => void claims.delete(name),
        },
      }
    },
  }
}
