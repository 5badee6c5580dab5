import type { CatalogEntry } from './catalog-entry.ts'

/** Keeps what servers offer beyond this process. Several processes may share one store. */
export interface CatalogStore {
  /** All entries that can be read; what is damaged is left out. Must not throw. */
  read(): CatalogEntry[]
  /** Replaces the entries of one server. Must not throw; what could not be kept is read again. */
  write(server: string, entries: readonly CatalogEntry[]): void
}

/** Ends with the process. */
export function createMemoryCatalogStore(): CatalogStore {
  const kept = new Map<string, readonly CatalogEntry[]>()
  return {
    read: () => [...kept.values()].flat(),
    write: (server, entries) => void kept.set(server, entries),
  }
}
