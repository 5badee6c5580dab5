/** JSON documents that replicas share, by kind and name. Reads are from memory. */
export interface Documents {
  get<T>(kind: string, name: string): T | undefined
  all<T>(kind: string): ReadonlyMap<string, T>
  /**
   * Replaces a document under a lock across replicas; undefined deletes it. Durable when it resolves,
   * to what is stored then. Nothing is written for the same object, or if `edit` rejects.
   */
  change<T>(
    kind: string,
    name: string,
    edit: (stored: T | undefined) => T | undefined | Promise<T | undefined>,
  ): Promise<T | undefined>
  onChange(kind: string, listener: (name: string) => void): void
  /** Increases with each change of a kind, also of other replicas. */
  version(kind: string): number
}

type Edit<T> = (stored: T | undefined) => T | undefined

interface Waiting<T> {
  edits: readonly Edit<T>[]
  /** What `value` was made from. */
  stored: T | undefined
  value: T | undefined
}

const applied = <T>(edits: readonly Edit<T>[], stored: T | undefined): T | undefined =>
  edits.reduce((value, edit) => edit(value), stored)

/** Milliseconds before changes are stored again after a failure. */
const retryMs = 2_000

/**
 * Changes that take effect in this process at once, and are stored in their order as soon as
 * possible: for stores that are used synchronously.
 */
export class Edits<T> {
  readonly #documents: Documents
  readonly #kind: string
  readonly #onLog: (text: string) => void
  readonly #waiting = new Map<string, Waiting<T>>()
  readonly #running = new Map<string, Promise<void>>()
  #own = 0
  #isLogged = false

  constructor(documents: Documents, kind: string, onLog: (text: string) => void) {
    this.#documents = documents
    this.#kind = kind
    this.#onLog = onLog
  }

  get(name: string): T | undefined {
    const stored = this.#documents.get<T>(this.#kind, name)
    const waiting = this.#waiting.get(name)
    if (waiting === undefined) return stored
    if (waiting.stored !== stored)
      Object.assign(waiting, { stored, value: applied(waiting.edits, stored) })
    return waiting.value
  }

  all(): Map<string, T> {
    const names = new Set([...this.#documents.all(this.#kind).keys(), ...this.#waiting.keys()])
    const found = [...names].map((name) => [name, this.get(name)] as const)
    return new Map(found.filter((one): one is readonly [string, T] => one[1] !== undefined))
  }

  /** `edit` may run several times, and must not change its argument. */
  change(name: string, edit: Edit<T>): void {
    const value = edit(this.get(name))
    const { edits = [] } = this.#waiting.get(name) ?? {}
    const stored = this.#documents.get<T>(this.#kind, name)
    this.#waiting.set(name, { edits: [...edits, edit], stored, value })
    this.#own++
    if (this.#running.has(name)) return
    const running = this.#store(name).finally(() => this.#running.delete(name))
    this.#running.set(name, running)
  }

  version(): number {
    return this.#own + this.#documents.version(this.#kind)
  }

  /** Resolves when all changes are stored. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values())
  }

  async #store(name: string): Promise<void> {
    for (;;) {
      const { edits = [] } = this.#waiting.get(name) ?? {}
      if (edits.length === 0) return void this.#waiting.delete(name)
      try {
        await this.#documents.change<T>(this.#kind, name, (stored) => applied(edits, stored))
        const stored = this.#documents.get<T>(this.#kind, name)
        const later = (this.#waiting.get(name)?.edits ?? []).slice(edits.length)
        this.#waiting.set(name, { edits: later, stored, value: applied(later, stored) })
        this.#isLogged = false
      } catch (error) {
        if (!this.#isLogged)
          this.#onLog(
            `Changes of ${this.#kind} cannot be stored (${(error as Error).message}); they are valid in this process only until they are.`,
          )
        this.#isLogged = true
        await new Promise((resolve) => setTimeout(resolve, retryMs).unref())
      }
    }
  }
}
