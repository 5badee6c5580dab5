import type { TokenRecord } from './token-file.ts'

const noteUseEveryMs = 60_000
const writeAfterMs = 2_000

/** When tokens were last used. Written with a delay, so that requests do not wait for it. */
export class TokenUses {
  readonly #write: (edit: (tokens: TokenRecord[]) => void) => void
  readonly #onFailed: (error: unknown) => void
  readonly #now: () => number
  /** Milliseconds since 1970, by the id of the token. */
  readonly #usedAt = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  /** `write` changes the file, and throws if it cannot be changed at once. */
  constructor(
    write: (edit: (tokens: TokenRecord[]) => void) => void,
    onFailed: (error: unknown) => void,
    now: () => number,
  ) {
    this.#write = write
    this.#onFailed = onFailed
    this.#now = now
  }

  note({ id, lastUsedAt }: TokenRecord): void {
    const stored = lastUsedAt === undefined ? 0 : Date.parse(lastUsedAt)
    const last = Math.max(this.#usedAt.get(id) ?? 0, stored)
    if (this.#now() - last < noteUseEveryMs) return
    this.#usedAt.set(id, this.#now())
    this.#timer ??= setTimeout(() => this.flush(), writeAfterMs).unref()
  }

  /** Writes what is pending; after a failure, it stays pending. Never throws. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#usedAt.size === 0) return
    try {
      this.#write((tokens) => this.#enter(tokens))
      this.#usedAt.clear()
    } catch (error) {
      this.#onFailed(error)
    }
  }

  #enter(tokens: TokenRecord[]): void {
    for (const [at, token] of tokens.entries()) {
      const time = this.#usedAt.get(token.id)
      if (time !== undefined && time > Date.parse(token.lastUsedAt ?? token.createdAt))
        tokens[at] = { ...token, lastUsedAt: new Date(time).toISOString() }
    }
  }
}
