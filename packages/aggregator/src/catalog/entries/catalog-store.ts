import type { CatalogEntry } from './catalog-entry.ts'

/** Stores catalog entries across processes. Several processes may share one store. */
export interface CatalogStore {
  /** All readable entries; damaged ones are skipped. Must not throw. */
  read(): CatalogEntry[]
  /**
   * Replaces the entries of one server. Must not throw: entries that were not stored are queried
   * again.
   */
  write(server: string, entries: readonly CatalogEntry[]): void
}

/** Stores entries in memory. */
export function createMemoryCatalogStore(): CatalogStore {
  const entriesByServer = new Map<string, readonly CatalogEntry[]>()
  return {
    read: () => [...entriesByServer.values()].flat(),
    write: (server, entries) => void entriesByServer.set(server, entries),
  }
}
