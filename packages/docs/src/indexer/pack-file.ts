import { rename, rm } from 'node:fs/promises'
import type { PageStore } from '../page/cache/page-store.ts'
import {
  createSqlitePageStore,
  pageStoreSchema,
  pageStoreVersion,
} from '../page/cache/sqlite-page-store.ts'
import type { DocsSource } from '../page-listing/docs-source.ts'
import { DocsError, quoteValue } from '../protocol/docs-error.ts'
import { indexSchema, indexVersion } from '../search-index/index-schema.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import { createSqliteIndex } from '../search-index/sqlite-search-index.ts'
import { loadDriver, type OpenDatabase } from '../sqlite/driver.ts'

/** A snapshot of a source in one file: its pages and their index. */
export interface Pack {
  index: SearchIndex
  store: PageStore
  close(): void
}

const schema = indexSchema + pageStoreSchema
const version = 1_000 * indexVersion + pageStoreVersion

/** Open the packs among the sources. @throws {DocsError} if one cannot be read. */
export async function openPacks(
  sources: readonly DocsSource[],
): Promise<(Pack & { path: string })[]> {
  const paths = sources.flatMap((source) => (source.kind === 'pack' ? [source.path] : []))
  if (paths.length === 0) return []
  const open = await packDriver()
  return Promise.all(paths.map(async (path) => ({ path, ...(await openPack(open, path)) })))
}

/** @throws {DocsError} `unsupported_type` without SQLite. */
export async function packDriver(): Promise<OpenDatabase> {
  const open = await loadDriver()
  if (open) return open
  throw new DocsError(
    'unsupported_type',
    'Packs require SQLite, which this Node does not include.',
    'Use Node 22.13 or later, or install the package @photostructure/sqlite.',
  )
}

/** @throws {DocsError} `unsupported_type` for a file that is not a pack of this version. */
async function openPack(open: OpenDatabase, path: string): Promise<Pack> {
  const options = { open, path, schema, version, readOnly: true }
  try {
    const index = await createSqliteIndex(options)
    const store = await createSqlitePageStore(options)
    return { index, store, close: closeBoth(index, store) }
  } catch (cause) {
    throw new DocsError(
      'unsupported_type',
      `${quoteValue(path)} could not be opened as a pack: ${cause instanceof Error ? cause.message : cause}.`,
      'Write the pack again with this version.',
      { cause },
    )
  }
}

/** A pack to fill. The file has a temporary name until `finish` renames it. */
export async function createPack(
  open: OpenDatabase,
  path: string,
): Promise<Pack & { finish(): Promise<void> }> {
  const partial = `${path}.${process.pid}.partial`
  await remove(partial)
  // A pack may be in a read-only folder, where a write-ahead log cannot be created.
  const options = { open, path: partial, schema, version, wal: false }
  const index = await createSqliteIndex(options)
  const store = await createSqlitePageStore({ ...options, maxBytes: Number.POSITIVE_INFINITY })
  const close = closeBoth(index, store)
  return {
    index,
    store,
    close() {
      close()
      void remove(partial)
    },
    async finish() {
      close()
      await rename(partial, path)
    },
  }
}

const closeBoth = (index: SearchIndex, store: PageStore) => () => {
  index.close()
  store.close()
}

async function remove(path: string): Promise<void> {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) await rm(file, { force: true })
}
