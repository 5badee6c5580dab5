import { createEdits, type Documents } from '../../storage/documents.ts'
import type { CatalogEntry } from './catalog-entry.ts'
import type { CatalogStore } from './catalog-store.ts'

const kind = 'catalog'

/** Catalogs that replicas share. The last to be stored stays: clocks of replicas may differ. */
export function createSharedCatalogStore(
  documents: Documents,
  onLog: (text: string) => void,
): CatalogStore & {
  /** Calls `listener` with what another replica has read. */
  follow(listener: (server: string, entries: readonly CatalogEntry[]) => void): void
} {
  const edits = createEdits<readonly CatalogEntry[]>(documents, kind, onLog)
  return {
    read: () => [...edits.all().values()].flat(),
    write(server, entries) {
      edits.change(server, () => entries)
    },
    follow(listener) {
      documents.onChange(kind, (server) => {
        const entries = documents.get<readonly CatalogEntry[]>(kind, server)
        if (entries !== undefined) listener(server, entries)
      })
    },
  }
}
