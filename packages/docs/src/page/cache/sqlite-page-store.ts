import { openStore, type TablesOptions } from '#base/sqlite-store'
import { packPage, unpackPage } from './packed-page.ts'
import type { Note, PageStore } from './page-store.ts'

/** Increased when the tables, policies or the output of the cleaner change. */
export const pageStoreVersion = 4

export const pageStoreSchema = `
CREATE TABLE stored_page (
  url TEXT PRIMARY KEY, kept BLOB NOT NULL, used_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX stored_page_used ON stored_page (used_at, length(kept), url);
CREATE TABLE seen (url TEXT PRIMARY KEY, sections TEXT NOT NULL) WITHOUT ROWID;
`

export interface PageStoreOptions extends TablesOptions {
  /** Of compressed pages; past it the least recently used are removed. Default 512 MB. */
  maxBytes?: number | undefined
}

const writesBetweenChecks = 50
/** Milliseconds: `used_at` is updated at most this often. */
const usedStepMs = 60 * 60_000

export async function createSqlitePageStore({
  maxBytes = 512 * 2 ** 20,
  ...options
}: PageStoreOptions): Promise<PageStore> {
  const store = await openStore({ schema: pageStoreSchema, version: pageStoreVersion, ...options })
  let writes = 0

  return {
    async get(url) {
      const [row] = await store.rows('SELECT kept, used_at FROM stored_page WHERE url = ?', url)
      if (!row) return undefined
      if (!options.readOnly && Date.now() - Number(row['used_at']) > usedStepMs)
        await store.run('UPDATE stored_page SET used_at = ? WHERE url = ?', Date.now(), url)
      return unpackPage(row['kept'] as Uint8Array)
    },
    async put(page) {
      const sql = 'INSERT OR REPLACE INTO stored_page (url, kept, used_at) VALUES (?, ?, ?)'
      await store.run(sql, page.url, packPage(page), Date.now())
      if (writes++ % writesBetweenChecks === 0) await trim()
    },
    remove: (url) => store.run('DELETE FROM stored_page WHERE url = ?', url),
    async note(key) {
      const [row] = await store.rows('SELECT sections FROM seen WHERE url = ?', key)
      return row && (JSON.parse(String(row['sections'])) as Note)
    },
    setNote: (key, note) =>
      store.run(
        'INSERT OR REPLACE INTO seen (url, sections) VALUES (?, ?)',
        key,
        JSON.stringify(note),
      ),
    close: () => store.close(),
  }

  /** Trims to nine tenths of the bound, so that the next write does not exceed it again. */
  async function trim(): Promise<void> {
    await store.write((prepare) => {
      const total = Number(
        prepare('SELECT sum(length(kept)) AS size FROM stored_page').get()?.['size'] ?? 0,
      )
      if (total <= maxBytes) return
      let excess = total - 0.9 * maxBytes
      const oldest = prepare('SELECT url, length(kept) AS size FROM stored_page ORDER BY used_at')
      for (const row of oldest.all()) {
        if (excess <= 0) break
        prepare('DELETE FROM stored_page WHERE url = ?').run(String(row['url']))
        excess -= Number(row['size'])
      }
    })
  }
}
