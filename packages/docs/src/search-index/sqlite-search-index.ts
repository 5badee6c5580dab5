import { termsOf } from '@pith-mcp/scorer'
import type { OpenDatabase } from '../sqlite/driver.ts'
import { openStore, type Prepare } from '../sqlite/open-store.ts'
import { findCandidates } from './find-candidates.ts'
import { indexSchema, indexVersion } from './index-schema.ts'
import type { IndexedPage, IndexTotals, SearchIndex } from './search-index.ts'
import { allowedSlips, nearestWords, wordsIn } from './words.ts'

export interface SqliteIndexOptions {
  open: OpenDatabase
  /** A file, or `:memory:`. */
  path: string
  /** For a file that also contains other tables. */
  schema?: string
  version?: number
  readOnly?: boolean
  wal?: boolean
  onRebuilt?: (path: string, why: string) => void
}

/**
 * SQLite FTS5 over the terms of the scorer, so that both tokenise alike. The text is in a separate
 * table, from which excerpts are cut.
 */
export async function createSqliteIndex(options: SqliteIndexOptions): Promise<SearchIndex> {
  const store = await openStore({ schema: indexSchema, version: indexVersion, ...options })
  const known = createMemory()

  return {
    put: (pages) =>
      store.write((prepare) => {
        for (const page of pages) {
          removePage(prepare, page.url)
          enterPage(prepare, page)
        }
      }),
    tidy: () =>
      store.write((prepare) => {
        prepare("INSERT INTO terms (terms) VALUES ('optimize')").run()
      }),
    putFailed: (url, stamp) =>
      store.write((prepare) => {
        removePage(prepare, url)
        const sql = 'INSERT INTO page (url, title, stamp, read_at, failed) VALUES (?, ?, ?, ?, 1)'
        prepare(sql).run(url, '', stamp, Date.now())
      }),
    remove: (urls) =>
      store.write((prepare) => {
        for (const url of urls) removePage(prepare, url)
      }),
    pages: () =>
      store.read((prepare) => {
        const rows = prepare('SELECT url, stamp, read_at, failed FROM page').all()
        return new Map(
          rows.map((row) => [
            String(row['url']),
            {
              stamp: String(row['stamp']),
              readAt: Number(row['read_at']),
              failed: row['failed'] === 1,
            },
          ]),
        )
      }),
    headings: (url) =>
      store.read((prepare) => {
        const row = prepare('SELECT headings FROM page WHERE url = ?').get(url)
        return JSON.parse(String(row?.['headings'] ?? '[]')) as IndexedPage['headings']
      }),
    pagesLike: (text, limit) =>
      store.read((prepare) =>
        prepare(
          `SELECT url, title FROM page WHERE failed = 0 AND (url LIKE ?1 ESCAPE '!' OR title LIKE ?1 ESCAPE '!')
           ORDER BY url LIMIT ?2`,
        )
          .all(`%${text.replace(/[!%_]/g, '!$&')}%`, limit)
          .map((row) => ({ url: String(row['url']), title: String(row['title']) })),
      ),
    totals: () =>
      store.read((prepare) => {
        const memory = known.of(prepare)
        memory.totals ??= count(prepare)
        return memory.totals
      }),
    itemsWith: (terms) =>
      store.read((prepare) => itemsWith(prepare, terms, known.of(prepare).counts)),
    candidates: (terms, options) =>
      store.read((prepare) => {
        const counts = itemsWith(prepare, terms, known.of(prepare).counts)
        return findCandidates(prepare, terms, counts, options)
      }),
    wordsLike: (word) =>
      store.read((prepare) => {
        const lower = word.toLowerCase()
        return nearestWords(lower, similarlyBegun(prepare, lower))
      }),
    state: (key) =>
      store.read((prepare) => {
        const value = prepare('SELECT value FROM state WHERE key = ?').get(key)?.['value']
        return value === undefined ? undefined : String(value)
      }),
    setState: (key, value) =>
      store.write((prepare) => {
        prepare('INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)').run(key, value)
      }),
    lease: (holder, milliseconds) =>
      store.write((prepare) => {
        const held = prepare("SELECT value FROM state WHERE key = 'lease'").get()?.['value']
        const { by, until } = JSON.parse(String(held ?? '{}')) as { by?: string; until?: number }
        const now = Date.now()
        if (by !== undefined && by !== holder && (until ?? 0) > now) return false
        const value = JSON.stringify({ by: holder, until: now + milliseconds })
        prepare("INSERT OR REPLACE INTO state (key, value) VALUES ('lease', ?)").run(value)
        return true
      }),
    release: (holder) =>
      store.write((prepare) => {
        prepare("DELETE FROM state WHERE key = 'lease' AND json_extract(value, '$.by') = ?").run(
          holder,
        )
      }),
    close: () => store.close(),
  }
}

function removePage(prepare: Prepare, url: string): void {
  const id = prepare('SELECT id FROM page WHERE url = ?').get(url)?.['id']
  if (id === undefined) return
  prepare('DELETE FROM terms WHERE rowid IN (SELECT id FROM section WHERE page = ?)').run(id)
  prepare('DELETE FROM section WHERE page = ?').run(id)
  prepare('DELETE FROM page WHERE id = ?').run(id)
}

function enterPage(prepare: Prepare, page: IndexedPage): void {
  const { lastInsertRowid: id } = prepare(
    'INSERT INTO page (url, title, language, stamp, read_at, headings, failed) VALUES (?, ?, ?, ?, ?, ?, 0)',
  ).run(
    page.url,
    page.title,
    page.language ?? null,
    page.stamp,
    Date.now(),
    JSON.stringify(page.headings),
  )
  const enterSection = prepare(
    'INSERT INTO section (page, anchor, title, heading, path, text, is_terms) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const enterTerms = prepare(
    'INSERT INTO terms (rowid, heading, text, anchor, path) VALUES (?, ?, ?, ?, ?)',
  )
  const words = new Set<string>()
  for (const section of page.sections) {
    const { id: anchor, title, heading, path, text, isTermsOnly } = section
    const row = enterSection.run(
      id,
      anchor,
      title,
      heading,
      JSON.stringify(path),
      text,
      isTermsOnly ? 1 : 0,
    )
    enterTerms.run(
      row.lastInsertRowid,
      termText(heading),
      isTermsOnly ? text : termText(text),
      termText(anchor),
      termText([page.title, ...path].join('\n')),
    )
    for (const word of wordsIn(isTermsOnly ? heading : `${heading}\n${text}`)) words.add(word)
  }
  const enterWord = prepare('INSERT OR IGNORE INTO word (first, length, word) VALUES (?, ?, ?)')
  for (const word of words) enterWord.run(word.slice(0, 1), word.length, word)
}

const termText = (text: string): string => termsOf(text).join(' ')

function count(prepare: Prepare): IndexTotals {
  const pages = prepare('SELECT count(*) AS all_pages, sum(failed) AS failed FROM page').get()
  const sections = prepare('SELECT count(*) AS n FROM section').get()
  const languages = prepare(
    'SELECT language, count(*) AS n FROM page WHERE language IS NOT NULL GROUP BY language ORDER BY n DESC LIMIT 20',
  ).all()
  const failed = Number(pages?.['failed'] ?? 0)
  return {
    pages: Number(pages?.['all_pages']) - failed,
    sections: Number(sections?.['n']),
    failed,
    languages: new Map(languages.map((row) => [String(row['language']), Number(row['n'])])),
  }
}

/** Counts are valid until a write through this connection or another. */
interface Memory {
  version: string
  totals?: IndexTotals
  /** Sections by term, cached because counting frequent terms is slow. */
  counts: Map<string, number>
}

function createMemory(): { of(prepare: Prepare): Memory } {
  let memory: Memory = { version: '', counts: new Map() }
  return {
    of(prepare) {
      const own = prepare('SELECT total_changes() AS own').get()?.['own']
      const others = prepare('PRAGMA data_version').get()?.['data_version']
      const version = `${own} ${others}`
      if (memory.version !== version || memory.counts.size > maxCounts)
        memory = { version, counts: new Map() }
      return memory
    },
  }
}

const maxCounts = 5_000

function itemsWith(
  prepare: Prepare,
  terms: readonly string[],
  counts: Map<string, number>,
): number[] {
  const find = prepare('SELECT doc FROM vocabulary WHERE term = ?')
  return terms.map((term) => {
    const items = counts.get(term) ?? Number(find.get(term)?.['doc'] ?? 0)
    counts.set(term, items)
    return items
  })
}

const letters = [...'abcdefghijklmnopqrstuvwxyz']

/**
 * Words with the same first letter, with the first two letters swapped, or with one letter missing
 * at the start.
 */
function similarlyBegun(prepare: Prepare, word: string): string[] {
  const slips = allowedSlips(word)
  const find = prepare('SELECT word FROM word WHERE first = ? AND length BETWEEN ? AND ?')
  const whole = prepare('SELECT word FROM word WHERE first = ? AND length = ? AND word = ?')
  const longer = letters.flatMap((letter) => whole.all(letter, word.length + 1, letter + word))
  const firsts = new Set([word.slice(0, 1), word.slice(1, 2)])
  const rows = [...firsts].flatMap((first) =>
    find.all(first, word.length - slips, word.length + slips),
  )
  return [...rows, ...longer].map((row) => String(row['word']))
}
