import type { CatalogEntry } from './catalog-entry.ts'

/** Stores catalog entries across processes. Several processes may share one store. */
export interface CatalogStore {
  /** All readable entries; damaged ones are skipped. Must not throw. */
  read(): CatalogEntry[]
  /** Replaces the entry of its server. Must not throw: what was not stored is queried again. */
  write(entry: CatalogEntry): void
}

/** Stores entries in memory. */
export function createMemoryCatalogStore(): CatalogStore {
  const entries = new Map<string, CatalogEntry>()
  return {
    read: () => [...entries.values()],
    write: (entry) => void entries.set(entry.server, entry),
  }
}
