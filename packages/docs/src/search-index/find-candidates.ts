import type { SqlValue } from '../sqlite/driver.ts'
import type { Prepare } from '../sqlite/open-store.ts'
import type { Candidate, CandidateOptions } from './search-index.ts'

/** If at least this many sections have all terms, those with some terms are not searched. */
const enoughExact = 20
/** If the best matches are from fewer pages than this, other pages are searched as well. */
const fewPages = 6
/** At most this many matches are scored by FTS5; more common words say little about relevance. */
const maxScored = 3_000

/**
 * Sections to rank: first those with all terms, then those with some. `counts` has the number of
 * sections for each term.
 */
export function findCandidates(
  prepare: Prepare,
  terms: readonly string[],
  counts: readonly number[],
  { limit, language, onlyAll = false }: CandidateOptions,
): Candidate[] {
  const known = [...new Set(terms)]
    .map((term) => ({ term, items: counts[terms.indexOf(term)] ?? 0 }))
    .filter(({ items }) => items > 0)
    .sort((a, b) => a.items - b.items)
  if (known.length === 0) return []
  const quoted = known.map(({ term }) => `"${term.replaceAll('"', '""')}"`)
  const all = new Set(matching(prepare, quoted.join(' AND '), limit, language))
  const ids = new Set(all)
  if (!onlyAll && ids.size < enoughExact && quoted.length > 1) {
    let scored = 0
    const telling = quoted.filter((_, at) => {
      scored += known[at]?.items ?? 0
      return at === 0 || scored <= maxScored
    })
    for (const id of matching(prepare, telling.join(' OR '), limit, language)) ids.add(id)
  }
  return sectionsOf(prepare, [...ids], all)
}

/**
 * Ids of sections, best first by BM25 over their fields. If the best ones are from few pages, the
 * best of the other pages follow, so that one page does not hide the others.
 */
function matching(
  prepare: Prepare,
  query: string,
  limit: number,
  language: string | undefined,
): number[] {
  const best = matchesOutside(prepare, query, limit, language, [])
  const pages = new Set(best.map(({ page }) => page))
  const isHidden = best.length === limit && pages.size < fewPages
  const others = isHidden ? matchesOutside(prepare, query, limit, language, [...pages]) : []
  return [...best, ...others].map(({ id }) => id)
}

/** Matches outside the pages in `full`. */
function matchesOutside(
  prepare: Prepare,
  query: string,
  limit: number,
  language: string | undefined,
  full: readonly number[],
): { id: number; page: number }[] {
  const values: SqlValue[] = [query, limit]
  const conditions: string[] = []
  if (language !== undefined) {
    values.push(language.toLowerCase())
    conditions.push(`AND rowid IN (SELECT section.id FROM section JOIN page ON page.id = section.page
      WHERE lower(page.language) = ?3 OR lower(page.language) LIKE ?3 || '-%')`)
  }
  if (full.length > 0)
    conditions.push(`AND rowid NOT IN (SELECT id FROM section
      WHERE page IN (SELECT value FROM json_each(?${values.push(JSON.stringify(full))})))`)
  const pageOf = prepare('SELECT page FROM section WHERE id = ?')
  return prepare(
    `SELECT rowid AS id FROM terms WHERE terms MATCH ?1 ${conditions.join(' ')}
     ORDER BY bm25(terms, 8, 1, 2, 2) LIMIT ?2`,
  )
    .all(...values)
    .map((row) => {
      const id = Number(row['id'])
      return { id, page: Number(pageOf.get(id)?.['page']) }
    })
}

function sectionsOf(
  prepare: Prepare,
  ids: readonly number[],
  all: ReadonlySet<number>,
): Candidate[] {
  const find = prepare(
    `SELECT page.url, page.title AS page_title, anchor, section.title, heading, path, text, proposed
     FROM section JOIN page ON page.id = section.page WHERE section.id = ?`,
  )
  return ids.flatMap((id) => {
    const row = find.get(id)
    if (!row) return []
    const section: Candidate = {
      url: String(row['url']),
      pageTitle: String(row['page_title']),
      id: String(row['anchor']),
      title: String(row['title']),
      heading: String(row['heading']),
      path: JSON.parse(String(row['path'])) as string[],
      text: String(row['text']),
      hasAll: all.has(id),
    }
    if (row['proposed'] === 1) section.isProposed = true
    return [section]
  })
}
