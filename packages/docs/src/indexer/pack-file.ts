import { rename, rm } from 'node:fs/promises'
import { loadDriver, type OpenDatabase } from '#base/sqlite-driver'
import { DocsError, quoteValue } from '#formats/docs-error'
import type { PageStore } from '../page/cache/page-store.ts'
import {
  createSqlitePageStore,
  pageStoreSchema,
  pageStoreVersion,
} from '../page/cache/sqlite-page-store.ts'
import type { DocsSource } from '../page-listing/docs-source.ts'
import { indexSchema, indexVersion } from '../search-index/index-schema.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import { createSqliteIndex } from '../search-index/sqlite-search-index.ts'
import { packInThread } from './pack-thread.ts'
import { type StoredListing, storedListing } from './source-index.ts'

/** A snapshot of a source in one file: its pages and their index. */
export interface Pack {
  index: SearchIndex
  store: PageStore
  close(): void
}

/** A pack that is only read. */
type OpenedPack = Omit<Pack, 'store'> & { store: Pick<PageStore, 'get'> }

const schema = indexSchema + pageStoreSchema
const version = 1_000 * indexVersion + pageStoreVersion

/** The pages of a pack are read by a thread; from the sources, which it cannot load, by this one. */
const isBuilt = import.meta.url.endsWith('.js')

/** Open the packs among the sources. @throws {DocsError} if one cannot be read. */
export async function openPacks(
  sources: readonly DocsSource[],
): Promise<(OpenedPack & { path: string })[]> {
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
async function openPack(open: OpenDatabase, path: string): Promise<OpenedPack> {
  let pack: Pack | undefined
  try {
    pack = isBuilt ? packInThread(path) : await readPack(open, path)
    return await withOwnPages(pack)
  } catch (cause) {
    pack?.close()
    throw new DocsError(
      'unsupported_type',
      `${quoteValue(path)} could not be opened as a pack: ${cause instanceof Error ? cause.message : cause}.`,
      'Write the pack again with this version.',
      { cause },
    )
  }
}

/** Open a pack in this thread. */
export async function readPack(open: OpenDatabase, path: string): Promise<Pack> {
  const options = { open, path, schema, version, readOnly: true }
  const index = await createSqliteIndex(options)
  const store = await createSqlitePageStore(options)
  return { index, store, close: closeBoth(index, store) }
}

/** What a pack keeps of its making: its listing, and what all of its pages are below. */
export interface PackListing extends StoredListing {
  /** URLs that end with `/`; '' for files. */
  below: string[]
}

/**
 * The pack without pages that its index lacks.
 *
 * @throws {Error} if it has pages that are not below its sources.
 */
async function withOwnPages(pack: Pack): Promise<OpenedPack> {
  const { below = [] } = ((await storedListing(pack.index)) ?? {}) as Partial<PackListing>
  const urls = new Set((await pack.index.pages()).keys())
  const foreignUrl = [...urls].find((url) => !isBelow(url, below))
  if (foreignUrl !== undefined)
    throw new Error(`it has ${quoteValue(foreignUrl)}, which is not of its sources`)
  const get = async (url: string) => (urls.has(url) ? pack.store.get(url) : undefined)
  return { ...pack, store: { get } }
}

const isBelow = (url: string, below: readonly string[]): boolean =>
  below.some((prefix) => (prefix === '' ? !/^[a-z]+:/i.test(url) : url.startsWith(prefix)))

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
