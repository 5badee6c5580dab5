import type { Database, Query, Row } from '../postgres/database.ts'
import { CountCache } from './count-cache.ts'
import { findCandidates, type Groups } from './find-candidates.ts'
import { indexVersion } from './index-schema.ts'
import { postgresMatcher, storedCounts, type Totals } from './postgres-matches.ts'
import { enterPages, lexemeOf, removePages } from './postgres-pages.ts'
import type {
  Candidate,
  CandidateOptions,
  Failure,
  IndexedPage,
  SearchIndex,
} from './search-index.ts'
import { maxPartsAround } from './section-text.ts'
import { failuresOf, knownPages, titlesOf } from './stored-rows.ts'
import { allowedSlips, beginningsOf, nearestWords } from './words.ts'

/** Milliseconds after which the writes of others are noticed: a search asks once. */
const othersMs = 100
/** Sources that were not updated for so long are removed. */
const maxUnused = '90 days'

/** The sections of a source that several machines share. */
export async function createPostgresIndex(database: Database, name: string): Promise<SearchIndex> {
  const [row] = await database.transaction(async (query) => {
    await query(`DELETE FROM pith_docs_source WHERE used_at < now() - interval '${maxUnused}'`)
    return query(
      `INSERT INTO pith_docs_source (name, version) VALUES ($1, $2)
       ON CONFLICT (md5(name), version) DO UPDATE SET used_at = now() RETURNING id`,
      [name, indexVersion],
    )
  })
  return new PostgresSearchIndex(database, Number(row?.['id']))
}

class PostgresSearchIndex implements SearchIndex {
  readonly #database: Database
  readonly #source: number
  readonly #counts: CountCache<Totals>

  constructor(database: Database, source: number) {
    this.#database = database
    this.#source = source
    this.#counts = new CountCache(storedCounts(database.query, source), othersMs)
  }

  put(pages: readonly IndexedPage[]): Promise<void> {
    return this.#write(async (query) => {
      const entered = await this.#withoutKnown(query, pages)
      await removePages(query, this.#source, [...entered.keys()])
      await enterPages(query, this.#source, [...entered.values()])
    })
  }

  async tidy(): Promise<void> {
    await this.#database.transaction((query) =>
      query('ANALYZE pith_docs_terms, pith_docs_page, pith_docs_count'),
    )
  }

  putFailed(url: string, stamp: string, problem: string): Promise<void> {
    return this.#write(async (query) => {
      await removePages(query, this.#source, [url])
      await query(
        `INSERT INTO pith_docs_page (source, url, title, stamp, read_at, failed)
         VALUES ($1, $2, $3, $4, $5, true)`,
        [this.#source, url, problem, stamp, Date.now()],
      )
    })
  }

  async failures(limit: number): Promise<Failure[]> {
    return failuresOf(
      await this.#rows(
        'SELECT url, title FROM pith_docs_page WHERE source = $1 AND failed ORDER BY id DESC LIMIT $2',
        limit,
      ),
    )
  }

  remove(urls: readonly string[]): Promise<void> {
    return this.#write((query) => removePages(query, this.#source, urls))
  }

  async pages(): ReturnType<SearchIndex['pages']> {
    return knownPages(
      await this.#rows(
        'SELECT url, stamp, read_at, failed, proposed FROM pith_docs_page WHERE source = $1 ORDER BY id',
      ),
    )
  }

  async headings(url: string): Promise<IndexedPage['headings']> {
    const [page] = await this.#rows(
      'SELECT headings FROM pith_docs_page WHERE source = $1 AND md5(url) = md5($2)',
      url,
    )
    return JSON.parse(String(page?.['headings'] ?? '[]')) as IndexedPage['headings']
  }

  async sectionText({ row, id }: Candidate): Promise<string> {
    const rows = await this.#database.query(
      `SELECT text FROM pith_docs_section
       WHERE page = (SELECT page FROM pith_docs_section WHERE id = $1) AND anchor = $2
         AND id BETWEEN $1 - $3 AND $1 + $3 ORDER BY id`,
      [row, id, maxPartsAround],
    )
    return rows.map(({ text }) => String(text)).join('')
  }

  async pagesLike(text: string, limit: number): Promise<{ url: string; title: string }[]> {
    const rows = await this.#rows(
      `SELECT url, title FROM pith_docs_page
       WHERE source = $1 AND NOT failed AND (url ILIKE $2 ESCAPE '!' OR title ILIKE $2 ESCAPE '!')
       ORDER BY url COLLATE "C" LIMIT $3`,
      `%${text.replace(/[!%_]/g, '!$&')}%`,
      limit,
    )
    return titlesOf(rows)
  }

  totals(): Promise<Totals> {
    return this.#counts.totals()
  }

  itemsWith(terms: readonly string[]): Promise<number[]> {
    return this.#counts.itemsWith(terms)
  }

  candidates(words: Groups, options: CandidateOptions): Promise<Candidate[]> {
    const matcher = postgresMatcher(this.#database.query, this.#source, this.#counts)
    return findCandidates(matcher, this.#counts, words, options)
  }

  async wordsLike(word: string): Promise<string[]> {
    const lower = word.toLowerCase()
    const slips = allowedSlips(lower)
    const { firsts, longer } = beginningsOf(lower)
    const rows = await this.#rows(
      `SELECT word FROM pith_docs_word
       WHERE source = $1 AND first = ANY($2::text[]) AND length BETWEEN $3 AND $4
       UNION SELECT word FROM pith_docs_word
       JOIN unnest($5::text[], $6::text[]) AS longer(first, word) USING (first, word)
       WHERE source = $1 AND length = $7`,
      firsts,
      lower.length - slips,
      lower.length + slips,
      longer.map((variant) => variant.slice(0, 1)),
      longer,
      lower.length + 1,
    )
    const words = rows.map((row) => String(row['word']))
    return nearestWords(lower, words)
  }

  async termsBeginning(text: string, limit: number): Promise<string[]> {
    const least = lexemeOf(this.#source, text)
    const rows = await this.#database.query(
      `SELECT term FROM pith_docs_count
       WHERE term COLLATE "C" >= $1 AND term COLLATE "C" < $2 AND sections > 0
       ORDER BY term COLLATE "C" LIMIT $3`,
      [least, `${least}\u{10ffff}`, limit],
    )
    return rows.map((row) => String(row['term']).slice(lexemeOf(this.#source, '').length))
  }

  async state(key: string): Promise<string | undefined> {
    const [row] = await this.#rows(
      'SELECT value FROM pith_docs_state WHERE source = $1 AND key = $2',
      key,
    )
    return row && String(row['value'])
  }

  async setState(key: string, value: string): Promise<void> {
    await this.#rows(
      `INSERT INTO pith_docs_state (source, key, value) VALUES ($1, $2, $3)
       ON CONFLICT (source, key) DO UPDATE SET value = excluded.value`,
      key,
      value,
    )
  }

  async lease(holder: string, milliseconds: number): Promise<boolean> {
    const rows = await this.#rows(
      `UPDATE pith_docs_source SET holder = $2, used_at = now(),
         held_until = clock_timestamp() + $3 * interval '1 millisecond'
       WHERE id = $1 AND (holder IS NULL OR holder = $2 OR held_until < clock_timestamp())
       RETURNING id`,
      holder,
      milliseconds,
    )
    return rows.length > 0
  }

  async release(holder: string): Promise<void> {
    await this.#rows(
      'UPDATE pith_docs_source SET holder = NULL WHERE id = $1 AND holder = $2',
      holder,
    )
  }

  close(): void {}

  /** The first parameter is the source. */
  #rows(text: string, ...values: readonly unknown[]): Promise<Row[]> {
    return this.#database.query(text, [this.#source, ...values])
  }

  /** One writer of a source at a time, so that two of them cannot wait for each other. */
  async #write(work: (query: Query) => Promise<void>): Promise<void> {
    await this.#database.transaction(async (query) => {
      await query('UPDATE pith_docs_source SET changes = changes + 1 WHERE id = $1', [this.#source])
      await work(query)
    })
    this.#counts.expire()
  }

  /** The pages to enter, by URL; a proposal does not replace a page that was read. */
  async #withoutKnown(
    query: Query,
    pages: readonly IndexedPage[],
  ): Promise<Map<string, IndexedPage>> {
    const rows = await query(
      `SELECT url FROM pith_docs_page WHERE source = $1 AND NOT proposed
         AND md5(url) IN (SELECT md5(unnest($2::text[])))`,
      [this.#source, pages.filter(({ isProposed }) => isProposed).map(({ url }) => url)],
    )
    const read = new Set(rows.map((row) => String(row['url'])))
    const entered = new Map<string, IndexedPage>()
    for (const page of pages) {
      if (page.isProposed && read.has(page.url)) continue
      if (!page.isProposed) read.add(page.url)
      entered.set(page.url, page)
    }
    return entered
  }
}
