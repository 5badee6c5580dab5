import type { Database } from '../../postgres/database.ts'
import { packPage, unpackPage } from './packed-page.ts'
import type { Note, PageStore } from './page-store.ts'
import { type PageStoreOptions, pageStoreVersion } from './sqlite-page-store.ts'

const writesBetweenChecks = 50

/**
 * Page cache that several machines share. While the database cannot be used it has no pages and
 * keeps none, so they are read live.
 */
export function createPostgresPageStore(
  { query }: Database,
  { maxBytes = 512 * 2 ** 20 }: Pick<PageStoreOptions, 'maxBytes'> = {},
): PageStore {
  const rows = (text: string, values: readonly unknown[]) => query(text, values).catch(() => [])
  const version = pageStoreVersion
  let writes = 0
  return {
    async get(url) {
      const [row] = await rows(
        `SELECT kept, used_at < now() - interval '1 hour' AS is_old FROM pith_docs_stored_page
         WHERE md5(url) = md5($1) AND version = $2`,
        [url, version],
      )
      if (row?.['is_old'])
        await rows(
          'UPDATE pith_docs_stored_page SET used_at = now() WHERE md5(url) = md5($1) AND version = $2',
          [url, version],
        )
      return row && unpackPage(row['kept'] as Uint8Array)
    },
    async put(page) {
      await rows(
        `INSERT INTO pith_docs_stored_page (url, version, kept) VALUES ($1, $2, $3)
         ON CONFLICT (md5(url), version) DO UPDATE SET kept = excluded.kept, used_at = now()`,
        [page.url, version, packPage(page)],
      )
      if (writes++ % writesBetweenChecks === 0) await trim()
    },
    async remove(url) {
      await rows('DELETE FROM pith_docs_stored_page WHERE md5(url) = md5($1)', [url])
    },
    async note(key) {
      const [row] = await rows('SELECT note FROM pith_docs_note WHERE md5(key) = md5($1)', [key])
      return row && (JSON.parse(String(row['note'])) as Note)
    },
    async setNote(key, note) {
      await rows(
        `INSERT INTO pith_docs_note (key, note) VALUES ($1, $2)
         ON CONFLICT (md5(key)) DO UPDATE SET note = excluded.note`,
        [key, JSON.stringify(note)],
      )
    },
    close() {},
  }

  /** Trims to nine tenths of the bound, so that the next write does not exceed it again. */
  async function trim(): Promise<void> {
    await rows(
      `DELETE FROM pith_docs_stored_page WHERE ctid IN (
         SELECT ctid FROM (
           SELECT ctid, sum(length(kept)) OVER (ORDER BY used_at DESC, ctid) AS newer,
             sum(length(kept)) OVER () AS total
           FROM pith_docs_stored_page) AS pages
         WHERE total > $1 AND newer > 0.9 * $1::bigint)`,
      [Math.min(maxBytes, Number.MAX_SAFE_INTEGER)],
    )
  }
}
