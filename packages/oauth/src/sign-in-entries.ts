import type { HttpServer } from '#servers/config/server-config'
import { qualifiedName } from '#servers/protocol/server-account'
import { keyOf, nameOfKey } from './credential.ts'
import type { TokenKeeper } from './token-keeper.ts'
import type { TokenStore } from './token-store.ts'

/** A sign-in in progress. */
export interface RunningSignIn {
  /** The URL at which the user signs in. Rejects if the sign-in fails before. */
  url: Promise<string>
  done: Promise<void>
}

/** A server, or one of its accounts, with its sign-ins in this process. */
export interface SignInEntry {
  server: HttpServer
  readonly keeper: TokenKeeper
  running?: RunningSignIn | undefined
  failure?: { at: number; reason: string } | undefined
  /** Why a call began the last one. */
  reason?: string | undefined
  /** When the last one succeeded. */
  endedAt?: number | undefined
  /** Sign-ins since one was first needed. */
  signIns: number
  watch?: NodeJS.Timeout | undefined
}

const watchMs = 1_000

/** The entries of all servers, and who wants to know of their sign-ins. */
export class SignInEntries {
  readonly #store: TokenStore
  readonly #createKeeper: (server: HttpServer) => TokenKeeper
  readonly #entries = new Map<string, SignInEntry>()
  readonly #listeners = new Set<(unit: string) => void>()
  #isClosed = false

  constructor(store: TokenStore, createKeeper: (server: HttpServer) => TokenKeeper) {
    this.#store = store
    this.#createKeeper = createKeeper
  }

  of(server: HttpServer): SignInEntry {
    const name = nameOfKey(keyOf(server))
    const entry = this.#entries.get(name) ?? {
      server,
      keeper: this.#createKeeper(server),
      signIns: 0,
    }
    this.#entries.set(name, entry)
    entry.server = server
    return entry
  }

  /** Returns a function that unsubscribes. */
  onSignedIn(listener: (unit: string) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  signedIn(entry: SignInEntry): void {
    clearInterval(entry.watch)
    entry.watch = undefined
    entry.signIns++
    for (const listener of this.#listeners) listener(qualifiedName(entry.server))
  }

  /** The sign-in may be done in another process. Resolves to true if it was done after `since`. */
  async watch(entry: SignInEntry, since: number): Promise<boolean> {
    const key = keyOf(entry.server)
    const grantedAt = async () => (await this.#store.read(key))?.grant?.grantedAt
    const before = await grantedAt()
    if (before !== undefined && before > since) return true
    if (entry.watch !== undefined || this.#isClosed) return false
    const watching = setInterval(() => void look().catch(() => {}), watchMs)
    const look = async (): Promise<void> => {
      const now = await grantedAt()
      if (now !== undefined && now !== before && entry.watch === watching) this.signedIn(entry)
    }
    entry.watch = watching.unref()
    return false
  }

  /** Ends all watches. */
  close(): void {
    this.#isClosed = true
    for (const { watch } of this.#entries.values()) clearInterval(watch)
  }
}
