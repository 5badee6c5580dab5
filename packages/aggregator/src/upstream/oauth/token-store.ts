import { type Credential, type CredentialKey, nameOfKey } from './credential.ts'

/** A sign-in that nobody else begins meanwhile. */
interface SignInClaim {
  /** Where the user signs in, for those who come after. */
  tell(url: string): void
  release(): void
}

/** A sign-in that is under way already. */
interface SignInElsewhere {
  pid: number
  url: string | undefined
}

/** Keeps credentials. What two processes do with the same one must not destroy what either has won. */
export interface TokenStore {
  /** The newest, whoever wrote it; undefined where there is none. Rejects where none can be read. */
  read(key: CredentialKey): Promise<Credential | undefined>
  /**
   * Reads, edits and writes while nobody else does, in any process. Resolves to what then is kept.
   * An edit that gives back what it was given writes nothing; one that rejects neither.
   */
  change(
    key: CredentialKey,
    edit: (
      kept: Credential | undefined,
    ) => Promise<Credential | undefined> | Credential | undefined,
  ): Promise<Credential | undefined>
  /** Also what cannot be read. */
  remove(key: CredentialKey): Promise<void>
  /** At most one at a time, in all processes. */
  claimSignIn(
    key: CredentialKey,
  ): Promise<{ claim: SignInClaim } | { claim?: undefined; elsewhere: SignInElsewhere }>
}

/** For one process. */
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
      const own: SignInElsewhere = { pid: process.pid, url: undefined }
      claims.set(name, own)
      return {
        claim: {
          tell(url) {
            own.url = url
          },
          release: () => void claims.delete(name),
        },
      }
    },
  }
}
