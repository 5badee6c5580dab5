/**
 * What a session shows beside its cookie, which browsers also give to whatever listens on other
 * ports. It is bound to this origin, and all its tabs share it.
 */
export interface Proof {
  read: () => string | undefined
  keep: (proof: string) => void
  /** Forgets it, if it still is the one that was `used`. */
  forget: (used: string | undefined) => void
  /** Calls when this tab or another one kept or forgot it, until the returned function is called. */
  watch: (listener: () => void) => () => void
}

const key = 'pith.proof'

/** Where the browser keeps nothing for us, it holds for this page. */
export function createProof(): Proof {
  const listeners = new Set<() => void>()
  let here: string | undefined

  function read(): string | undefined {
    try {
      return localStorage.getItem(key) ?? undefined
    } catch {
      return here
    }
  }

  function write(proof: string | undefined): void {
    here = proof
    try {
      if (proof === undefined) localStorage.removeItem(key)
      else localStorage.setItem(key, proof)
    } catch {
      // It is held here then.
    }
    for (const listener of listeners) listener()
  }

  return {
    read,
    keep: write,
    forget(used) {
      if (used !== undefined && used === read()) write(undefined)
    },
    watch(listener) {
      const hear = (event: StorageEvent) => {
        if (event.key === key || event.key === null) listener()
      }
      listeners.add(listener)
      addEventListener('storage', hear)
      return () => {
        listeners.delete(listener)
        removeEventListener('storage', hear)
      }
    },
  }
}
