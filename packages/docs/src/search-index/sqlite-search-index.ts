import { openStore, type Prepare, type Store, type TablesOptions } from '#base/sqlite-store'
import { CountCache } from './count-cache.ts'
import { enterPage, removePage } from './enter-page.ts'
import { findCandidates } from './find-candidates.ts'
import { indexSchema, indexVersion } from './index-schema.ts'
import type {
  Candidate,
  CandidateOptions,
  Failure,
  IndexedPage,
  IndexTotals,
  KnownPage,
  SearchIndex,
} from './search-index.ts'
import { maxPartsAround } from './section-text.ts'
import { sqliteCounts, sqliteMatcher } from './sqlite-matches.ts'
import { failuresOf, knownPages, titlesOf } from './stored-rows.ts'
import { allowedSlips, beginningsOf, nearestWords } from './words.ts'

/**
 * SQLite FTS5 over the terms of the scorer, so that both tokenise alike. The text is in a separate
 * table, from which excerpts are cut.
 */
export async function createSqliteIndex(options: TablesOptions): Promise<SearchIndex> {
  return new SqliteSearchIndex(
    await openStore({ schema: indexSchema, version: indexVersion, ...options }),
  )
}

class SqliteSearchIndex implements SearchIndex {
  readonly #store: Store
  readonly #counts: CountCache

  constructor(store: Store) {
    this.#store = store
    this.#counts = new CountCache(sqliteCounts(store))
  }

  put(pages: readonly IndexedPage[]): Promise<void> {
    return this.#store.write((prepare) => {
      for (const page of pages) {
        const row = prepare('SELECT proposed FROM page WHERE url = ?').get(page.url)
        if (page.isProposed && row?.['proposed'] === 0) continue
        removePage(prepare, page.url)
        enterPage(prepare, page)
      }
    })
  }

  tidy(): Promise<void> {
    return this.#store.run("INSERT INTO terms (terms) VALUES ('optimize')")
  }

  putFailed(url: string, stamp: string, problem: string): Promise<void> {
    return this.#store.write((prepare) => {
      removePage(prepare, url)
      const sql = 'INSERT INTO page (url, title, stamp, read_at, failed) VALUES (?, ?, ?, ?, 1)'
      prepare(sql).run(url, problem, stamp, Date.now())
    })
  }

  async failures(limit: number): Promise<Failure[]> {
    return failuresOf(
      await this.#store.rows(
        'SELECT url, title FROM page WHERE failed ORDER BY id DESC LIMIT ?',
        limit,
      ),
    )
  }

  remove(urls: readonly string[]): Promise<void> {
    return this.#store.write((prepare) => {
      for (const url of urls) removePage(prepare, url)
    })
  }

  async pages(): Promise<Map<string, KnownPage>> {
    return knownPages(
      await this.#store.rows('SELECT url, stamp, read_at, failed, proposed FROM page ORDER BY id'),
    )
  }

  async headings(url: string): Promise<IndexedPage['headings']> {
    const [page] = await this.#store.rows('SELECT headings FROM page WHERE url = ?', url)
    return JSON.parse(String(page?.['headings'] ?? '[]')) as IndexedPage['headings']
  }

  async sectionText({ row, id }: Candidate): Promise<string> {
    const rows = await this.#store.rows(
      `SELECT text FROM section WHERE id BETWEEN ?1 - ?3 AND ?1 + ?3 AND anchor = ?2
         AND +page = (SELECT page FROM section WHERE id = ?1) ORDER BY id`,
      row,
      id,
      maxPartsAround,
    )
    return rows.map(({ text }) => String(text)).join('')
  }

  async pagesLike(text: string, limit: number): Promise<{ url: string; title: string }[]> {
    const rows = await this.#store.rows(
      `SELECT url, title FROM page WHERE failed = 0 AND (url LIKE ?1 ESCAPE '!' OR title LIKE ?1 ESCAPE '!')
       ORDER BY url LIMIT ?2`,
      `%${text.replace(/[!%_]/g, '!$&')}%`,
      limit,
    )
    return titlesOf(rows)
  }

  totals(): Promise<IndexTotals> {
    return this.#counts.totals()
  }

  itemsWith(terms: readonly string[]): Promise<number[]> {
    return this.#counts.itemsWith(terms)
  }

  candidates(
    words: readonly (readonly string[])[],
    options: CandidateOptions,
  ): Promise<Candidate[]> {
    return findCandidates(sqliteMatcher(this.#store), this.#counts, words, options)
  }

  wordsLike(word: string): Promise<string[]> {
    return this.#store.read((prepare) => {
      const lower = word.toLowerCase()
      return nearestWords(lower, similarlyBegun(prepare, lower))
    })
  }

  async termsBeginning(text: string, limit: number): Promise<string[]> {
    const sql = 'SELECT term FROM vocabulary WHERE term >= ? AND term < ? LIMIT ?'
    const rows = await this.#store.rows(sql, text, `${text}\u{10ffff}`, limit)
    return rows.map((row) => String(row['term']))
  }

  async state(key: string): Promise<string | undefined> {
    const [row] = await this.#store.rows('SELECT value FROM state WHERE key = ?', key)
    return row && String(row['value'])
  }

  setState(key: string, value: string): Promise<void> {
    return this.#store.run('INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)', key, value)
  }

  lease(holder: string, milliseconds: number): Promise<boolean> {
    return this.#store.write((prepare) => {
      const lease = prepare("SELECT value FROM state WHERE key = 'lease'").get()?.['value']
      const { by, until } = JSON.parse(String(lease ?? '{}')) as { by?: string; until?: number }
      const now = Date.now()
      if (by !== undefined && by !== holder && (until ?? 0) > now) return false
      const value = JSON.stringify({ by: holder, until: now + milliseconds })
      prepare("INSERT OR REPLACE INTO state (key, value) VALUES ('lease', ?)").run(value)
      return true
    })
  }

  release(holder: string): Promise<void> {
    const sql = "DELETE FROM state WHERE key = 'lease' AND json_extract(value, '$.by') = ?"
    return this.#store.run(sql, holder)
  }

  close(): void {
    this.#store.close()
  }
}

/** Words that `word` may be meant for. */
function similarlyBegun(prepare: Prepare, word: string): string[] {
  const slips = allowedSlips(word)
  const { firsts, longer } = beginningsOf(word)
  const find = prepare('SELECT word FROM word WHERE first = ? AND length BETWEEN ? AND ?')
  const findExact = prepare('SELECT word FROM word WHERE first = ? AND length = ? AND word = ?')
  const rows = [
    ...firsts.flatMap((first) => find.all(first, word.length - slips, word.length + slips)),
    ...longer.flatMap((variant) => findExact.all(variant.slice(0, 1), variant.length, variant)),
  ]
  return rows.map((row) => String(row['word']))
}
