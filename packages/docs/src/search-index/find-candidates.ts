import type { SqlValue } from '../sqlite/driver.ts'
import type { Prepare } from '../sqlite/open-store.ts'
import type { Candidate, CandidateOptions } from './search-index.ts'

/** With so many sections that have all of the terms, those that have some are not looked for. */
const enoughExact = 20
/** With fewer pages among the best, those of others are looked for. */
const fewPages = 6
/** Matches that FTS5 may be asked to score; words so common that there are more tell little. */
const mostScored = 3_000

/**
 * Sections worth ranking: those that have all of the terms, then those that have some.
 *
 * `counts` has for each term how many sections have it.
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
      return at === 0 || scored <= mostScored
    })
    for (const id of matching(prepare, telling.join(' OR '), limit, language)) ids.add(id)
  }
  return sectionsOf(prepare, [...ids], all)
}

/**
 * Ids of sections, best first by BM25 over their fields. A page that is all about it must not hide the
 * others: if the best are of few pages, the best of the others follow.
 */
function matching(
  prepare: Prepare,
  query: string,
  limit: number,
  language: string | undefined,
): number[] {
  const best = matchesBeside(prepare, query, limit, language, [])
  const pages = new Set(best.map(({ page }) => page))
  const isHidden = best.length === limit && pages.size < fewPages
  const others = isHidden ? matchesBeside(prepare, query, limit, language, [...pages]) : []
  return [...best, ...others].map(({ id }) => id)
}

/** Matches on pages but some. */
function matchesBeside(
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
    `SELECT page.url, page.title AS page_title, anchor, section.title, heading, path, text, is_terms
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
    if (row['is_terms'] === 1) section.isTerms = true
    return [section]
  })
}
