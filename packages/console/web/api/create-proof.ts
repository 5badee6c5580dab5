/**
 * The secret that a session sends in addition to its cookie, since browsers send cookies to servers on
 * other ports too. It is stored for this origin and shared by all its tabs.
 */
export type Proof = ReturnType<typeof createProof>

const key = 'pith.proof'

/** Without local storage the proof lasts as long as this page. */
export function createProof() {
  const listeners = new Set<() => void>()
  let inMemory: string | undefined

  function read(): string | undefined {
    try {
      return localStorage.getItem(key) ?? undefined
    } catch {
      return inMemory
    }
  }

  function write(proof: string | undefined): void {
    inMemory = proof
    try {
      if (proof === undefined) localStorage.removeItem(key)
      else localStorage.setItem(key, proof)
    } catch {
      // It stays in memory.
    }
    for (const listener of listeners) listener()
  }

  return {
    read,
    store: write,
    /** Deletes the proof if it is still the one that was `used`. */
    forget(used: string | undefined) {
      if (used !== undefined && used === read()) write(undefined)
    },
    /** Calls `listener` when any tab stores or deletes it, until the returned function is called. */
    watch(listener: () => void) {
      const receive = (event: StorageEvent) => {
        if (event.key === key || event.key === null) listener()
      }
      listeners.add(listener)
      addEventListener('storage', receive)
      return () => {
        listeners.delete(listener)
        removeEventListener('storage', receive)
      }
    },
  }
}
