import { statSync } from 'node:fs'
import { type Principal, scopesOf } from '../principals/principal.ts'
import { readTokens, type TokenRecord } from './token-file.ts'

/** A token with its principal, which stays the same object while the file changes. */
interface KnownToken {
  readonly stored: TokenRecord
  readonly principal: Principal
}

const lookEveryMs = 1_000

/** The tokens of a file, as they were at the last {@link KnownTokens.refresh}. */
export class KnownTokens {
  readonly #path: string
  readonly #onLog: (text: string) => void
  readonly #now: () => number
  #lookedAt = Number.NEGATIVE_INFINITY
  #stamp: string | undefined
  #byHash: ReadonlyMap<string, KnownToken> = new Map()
  #isDamaged = false

  constructor(path: string, onLog: (text: string) => void, now: () => number) {
    this.#path = path
    this.#onLog = onLog
    this.#now = now
  }

  /** Reads the file if it has changed; checked at most once a second. */
  refresh(): void {
    const now = this.#now()
    if (Math.abs(now - this.#lookedAt) < lookEveryMs) return
    this.#lookedAt = now
    const stamp = stampOf(this.#path)
    if (stamp === this.#stamp) return
    this.#stamp = stamp
    this.#read()
  }

  /** The next refresh checks the file: this process has changed it. */
  expire(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY
  }

  /** True if the file exists, even if it is empty or damaged. */
  get hasFile(): boolean {
    return this.#stamp !== undefined
  }

  /** True if the file cannot be trusted. */
  get isDamaged(): boolean {
    return this.#isDamaged
  }

  withHash(hash: string): KnownToken | undefined {
    return this.#byHash.get(hash)
  }

  withId(id: string): KnownToken | undefined {
    return [...this.#byHash.values()].find(({ stored }) => stored.id === id)
  }

  #read(): void {
    const read = readTokens(this.#path)
    this.#isDamaged = read instanceof Error
    if (read instanceof Error)
      this.#onLog(
        `${this.#path} cannot be used (${read.message}). Stored tokens are rejected until the file is repaired.`,
      )
    const before = this.#byHash
    const tokens = read === undefined || read instanceof Error ? [] : read
    this.#byHash = new Map(
      tokens.map((stored) => {
        const principal = before.get(stored.hash)?.principal ?? principalOf(stored)
        return [stored.hash, { stored, principal }]
      }),
    )
  }
}

const principalOf = ({ id, name, profile, scopes }: TokenRecord): Principal => ({
  kind: 'token',
  id,
  name,
  profile,
  scopes: scopesOf(scopes, profile),
})

function stampOf(path: string): string | undefined {
  try {
    const { mtimeMs, size, ino, mode } = statSync(path)
    return `${mtimeMs} ${size} ${ino} ${mode}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable'
  }
}
