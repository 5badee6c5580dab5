import { createEdits, type Documents } from '../../storage/documents.ts'
import type { CatalogEntry } from './catalog-entry.ts'
import type { CatalogStore } from './catalog-store.ts'

const kind = 'catalog'

/** Catalogs that replicas share. The newer reading of a server stays. */
export function createSharedCatalogStore(
  documents: Documents,
  onLog: (text: string) => void,
): CatalogStore & {
  /** Calls `listener` with what another replica has read. */
  follow(listener: (server: string, entries: readonly CatalogEntry[]) => void): void
} {
  const edits = createEdits<readonly CatalogEntry[]>(documents, kind, onLog)
  const readAt = (entries: readonly CatalogEntry[] = []): number =>
    Math.max(0, ...entries.map((entry) => entry.readAt))
  return {
    read: () => [...edits.all().values()].flat(),
    write(server, entries) {
      edits.change(server, (current) => (readAt(current) > readAt(entries) ? current : entries))
    },
    follow(listener) {
      documents.onChange(kind, (server) => {
        const entries = documents.get<readonly CatalogEntry[]>(kind, server)
        if (entries !== undefined) listener(server, entries)
      })
    },
  }
}
