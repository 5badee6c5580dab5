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
    edit: (current: T | undefined) => T | undefined | Promise<T | undefined>,
  ): Promise<T | undefined>
  onChange(kind: string, listener: (name: string) => void): void
  /** Increases with each change of a kind, also of other replicas. */
  version(kind: string): number
}

type Edit<T> = (base: T | undefined) => T | undefined

interface Waiting<T> {
  edits: readonly Edit<T>[]
  /** What `value` was made from. */
  base: T | undefined
  value: T | undefined
}

const applied = <T>(edits: readonly Edit<T>[], base: T | undefined): T | undefined =>
  edits.reduce((value, edit) => edit(value), base)

/** Milliseconds before changes are stored again after a failure. */
const retryMs = 2_000

/**
 * Changes that take effect in this process at once, and are stored in their order as soon as
 * possible: for stores that are used synchronously.
 */
export function createEdits<T>(documents: Documents, kind: string, onLog: (text: string) => void) {
  const pending = new Map<string, Waiting<T>>()
  const running = new Map<string, Promise<void>>()
  let localVersion = 0
  let isLogged = false

  function get(name: string): T | undefined {
    const base = documents.get<T>(kind, name)
    const entry = pending.get(name)
    if (entry === undefined) return base
    if (entry.base !== base) Object.assign(entry, { base, value: applied(entry.edits, base) })
    return entry.value
  }

  async function store(name: string): Promise<void> {
    for (;;) {
      const { edits = [] } = pending.get(name) ?? {}
      if (edits.length === 0) return void pending.delete(name)
      try {
        await documents.change<T>(kind, name, (base) => applied(edits, base))
        const base = documents.get<T>(kind, name)
        const later = (pending.get(name)?.edits ?? []).slice(edits.length)
        pending.set(name, { edits: later, base, value: applied(later, base) })
        isLogged = false
      } catch (error) {
        if (!isLogged)
          onLog(
            `Changes of ${kind} cannot be stored (${(error as Error).message}); they are valid in this process only until they are.`,
          )
        isLogged = true
        await new Promise((resolve) => setTimeout(resolve, retryMs).unref())
      }
    }
  }

  return {
    get,
    all(): Map<string, T> {
      const names = new Set([...documents.all(kind).keys(), ...pending.keys()])
      const pairs = [...names].map((name) => [name, get(name)] as const)
      return new Map(pairs.filter((pair): pair is readonly [string, T] => pair[1] !== undefined))
    },
    /** `edit` may run several times, and must not change its argument. */
    change(name: string, edit: Edit<T>): void {
      const value = edit(get(name))
      const { edits = [] } = pending.get(name) ?? {}
      pending.set(name, { edits: [...edits, edit], base: documents.get<T>(kind, name), value })
      localVersion++
      if (running.has(name)) return
      running.set(
        name,
        store(name).finally(() => running.delete(name)),
      )
    },
    version: (): number => localVersion + documents.version(kind),
    /** Resolves when all changes are stored. */
    async settled(): Promise<void> {
      await Promise.all(running.values())
    },
  }
}
