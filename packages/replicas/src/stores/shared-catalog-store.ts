import type { CatalogEntry, CatalogStore } from '@pith-mcp/aggregator'
import { createEdits, type Documents } from '../documents.ts'

const kind = 'catalog'

/** Catalogs that replicas share. The last to be stored stays: clocks of replicas may differ. */
export function createSharedCatalogStore(
  documents: Documents,
  onLog: (text: string) => void,
): CatalogStore & {
  /** Calls `listener` with what another replica has read. */
  follow(listener: (entry: CatalogEntry) => void): void
} {
  const edits = createEdits<CatalogEntry>(documents, kind, onLog)
  return {
    read: () => [...edits.all().values()],
    write(entry) {
      edits.change(entry.server, () => entry)
    },
    follow(listener) {
      documents.onChange(kind, (server) => {
        const entry = documents.get<CatalogEntry>(kind, server)
        if (entry !== undefined) listener(entry)
      })
    },
  }
}
