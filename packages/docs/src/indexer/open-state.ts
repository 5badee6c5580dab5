import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadDriver } from '#base/sqlite-driver'
import { markUsed, pruneFiles } from '#base/sqlite-files'
import { fileKey } from '#fetch/file/file-key'
import { createMemoryPageStore } from '../page/cache/memory-page-store.ts'
import type { PageStore } from '../page/cache/page-store.ts'
import { createSqlitePageStore } from '../page/cache/sqlite-page-store.ts'
import { type Database, guarded } from '../postgres/database.ts'
import { createMemoryIndex } from '../search-index/memory-search-index.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import { createSqliteIndex } from '../search-index/sqlite-search-index.ts'

export interface StateOptions {
  /** Folder for pages and indexes; without it they end with the process. */
  folder?: string | undefined
  /** At most this many bytes of cached pages. */
  maxBytes?: number | undefined
  /** Keeps pages and the indexes of sites instead of the folder. */
  database?: Database | undefined
  /** Called when the cache or an index cannot be used. */
  onNotice: (text: string) => void
}

/** What outlives a call: caches and indexes. */
export interface State {
  /** Folder in which archives are unpacked. */
  archives: string
  pages(): Promise<PageStore>
  /** `isShared` if other machines see the same pages under the same name. */
  indexOf(name: string, isShared: boolean): Promise<SearchIndex>
  /** Close all stores, and remove temporary files of this process. */
  close(): Promise<void>
}

/** Reading a page live takes not much longer. */
const pageLimits = { queryMs: 2_000, transactionMs: 2_000 }
/** A query takes some 10 ms, a batch of pages a tenth of a second. */
const indexLimits = { queryMs: 5_000, transactionMs: 20_000 }

export async function openState(options: StateOptions): Promise<State> {
  const { maxBytes, onNotice } = options
  const forPages = options.database && guarded(options.database, pageLimits)
  const forIndexes = options.database && guarded(options.database, indexLimits)
  const folder = await usableFolder(options)
  const tempFolder = folder === undefined ? await mkdtemp(join(tmpdir(), 'pith-docs-')) : undefined
  const opened = new Set<{ close(): void }>()
  const open = await loadDriver()
  if (folder !== undefined) await pruneFiles(join(folder, 'index'))
  if (!open && folder !== undefined)
    onNotice(
      'Nothing is cached on disk: this requires Node 22.13 or later, or the package @photostructure/sqlite.',
    )
  const onRebuilt = (path: string, why: string) =>
    onNotice(`${path} could not be used and was rebuilt empty: ${why}.`)

  return {
    archives: join(folder ?? tempFolder ?? '', 'archives'),
    async pages() {
      if (forPages) {
        const { createPostgresPageStore } = await import('../page/cache/postgres-page-store.ts')
        return createPostgresPageStore(forPages, { maxBytes })
      }
      if (!open || folder === undefined) return closeLater(createMemoryPageStore())
      const path = join(folder, 'pages.sqlite')
      return closeLater(await createSqlitePageStore({ open, path, onRebuilt, maxBytes }))
    },
    async indexOf(name, isShared) {
      if (forIndexes && isShared) {
        const { createPostgresIndex } = await import('../search-index/postgres-search-index.ts')
        return createPostgresIndex(forIndexes, name)
      }
      if (!open) return closeLater(createMemoryIndex())
      const path =
        folder === undefined ? ':memory:' : join(folder, 'index', `${fileKey(name)}.sqlite`)
      const index = closeLater(
        await createSqliteIndex({ open, path, onRebuilt }).catch((error: unknown) => {
          onNotice(
            `${path} could not be opened, so its source is indexed again: ${messageOf(error)}.`,
          )
          return createSqliteIndex({ open, path: ':memory:' })
        }),
      )
      if (folder !== undefined) await markUsed(path)
      return index
    },
    async close() {
      for (const store of opened) store.close()
      if (tempFolder !== undefined) await rm(tempFolder, { recursive: true, force: true })
    },
  }

  /** Closes a store at the end, unless it is closed before. */
  function closeLater<T extends { close(): void }>(store: T): T {
    const close = store.close.bind(store)
    store.close = () => {
      opened.delete(store)
      close()
    }
    opened.add(store)
    return store
  }
}

/** Returns undefined for a folder that cannot be written; the server then works without a cache. */
async function usableFolder({ folder, onNotice }: StateOptions): Promise<string | undefined> {
  if (folder === undefined) return undefined
  try {
    await mkdir(join(folder, 'index'), { recursive: true })
    const probe = await mkdtemp(join(folder, 'probe-'))
    await rm(probe, { recursive: true, force: true })
    return folder
  } catch (error) {
    onNotice(`Nothing is cached: the folder ${folder} is not writable: ${messageOf(error)}.`)
    return undefined
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
