import type { SqlValue } from '../sqlite/driver.ts'
import type { Prepare } from '../sqlite/open-store.ts'
import type { Candidate, CandidateOptions } from './search-index.ts'

/** If the best matches are from fewer pages than this, other pages are searched as well. */
const fewPages = 6
/** About this many matches are scored by FTS5, at 2 µs each; only narrower queries follow. */
const maxScored = 8_000
/** At most this many words of a query each get a query of their own. */
const maxLeading = 12

/** A word of a query with its synonyms, as a query of FTS5, and the number of its sections. */
interface Word {
  text: string
  items: number
}

/**
 * The best sections by BM25. Each word takes part: sections with all words, then for each word, the
 * rarest first, sections with it and any more common one. A word that is too common is combined
 * with the two that follow. `counts` has the number of sections for each word.
 */
export function findCandidates(
  prepare: Prepare,
  words: readonly (readonly string[])[],
  counts: readonly number[],
  options: CandidateOptions,
): Candidate[] {
  const { limit } = options
  const known = words
    .map((terms, at): Word => ({ text: anyOf(terms.map(quoted)), items: counts[at] ?? 0 }))
    .filter(({ items }) => items > 0)
    .sort((a, b) => a.items - b.items)
  if (known.length === 0) return []
  const found = new Map<number, number>()
  const all = new Set<number>()
  const every = known.map(({ text }) => text).join(' AND ')
  for (const { id, score } of matching(prepare, every, options)) {
    all.add(id)
    found.set(id, score)
  }
  for (const query of partialQueries(known)) {
    if (query.isLast && found.size >= limit) break
    for (const { id, score } of matching(prepare, query.text, options))
      found.set(id, Math.min(score, found.get(id) ?? 0))
  }
  // FTS5 scores are negative: lower is better.
  const best = [...found].sort(([, a], [, b]) => a - b).slice(0, limit)
  return sectionsOf(prepare, [...new Set([...best.map(([id]) => id), ...all])], all)
}

const quoted = (term: string): string => `"${term.replaceAll('"', '""')}"`
const anyOf = (texts: readonly string[]): string => `(${texts.join(' OR ')})`

/**
 * Queries for sections with some of the words, which are sorted by rarity. The last ones, for single
 * words, are needed only if the others found too little.
 */
function* partialQueries(words: readonly Word[]): Generator<{ text: string; isLast: boolean }> {
  let left = maxScored
  const leading = words.slice(0, maxLeading)
  for (const [at, { text, items }] of leading.entries()) {
    const others = words.slice(at + 1).map((word) => word.text)
    const [next = '', ...rest] = others
    if (items <= left && next !== '') yield { text: `${text} AND ${anyOf(others)}`, isLast: false }
    else if (rest.length > 1)
      yield { text: `${text} AND ${next} AND ${anyOf(rest)}`, isLast: false }
    left -= Math.min(items, left)
  }
  left = maxScored
  for (const [at, { text, items }] of words.length > 1 ? leading.entries() : []) {
    left -= items
    if (at === 0 || left >= 0) yield { text, isLast: true }
  }
}

/** A section and its BM25 score. */
interface Match {
  id: number
  score: number
}

/**
 * Sections, best first by BM25 over their fields. If the best ones are from few pages, the best of
 * the other pages follow, so that one page does not hide the others.
 */
function matching(prepare: Prepare, query: string, options: CandidateOptions): Match[] {
  const best = matchesOutside(prepare, query, options, [])
  if (best.length < options.limit) return best
  const pageOf = prepare('SELECT page FROM section WHERE id = ?')
  const pages = new Set(best.map(({ id }) => Number(pageOf.get(id)?.['page'])))
  if (pages.size >= fewPages) return best
  return [...best, ...matchesOutside(prepare, query, options, [...pages])]
}

/** Matches outside the pages in `full`. */
function matchesOutside(
  prepare: Prepare,
  query: string,
  { limit, language }: CandidateOptions,
  full: readonly number[],
): Match[] {
  const values: SqlValue[] = [query, limit]
  const conditions: string[] = []
  if (language !== undefined) {
    values.push(language.toLowerCase())
    conditions.push(`AND rowid IN (SELECT section.id FROM section JOIN page ON page.id = section.page
      WHERE lower(page.language) = ?3 OR lower(page.language) LIKE ?3 || '-%'
      OR (page.proposed = 1 AND page.language IS NULL))`)
  }
  if (full.length > 0)
    conditions.push(`AND rowid NOT IN (SELECT id FROM section
      WHERE page IN (SELECT value FROM json_each(?${values.push(JSON.stringify(full))})))`)
  return prepare(
    `SELECT rowid AS id, bm25(terms, 8, 1, 2, 2) AS score FROM terms WHERE terms MATCH ?1 ${conditions.join(' ')}
     ORDER BY score LIMIT ?2`,
  )
    .all(...values)
    .map((row) => ({ id: Number(row['id']), score: Number(row['score']) }))
}

function sectionsOf(
  prepare: Prepare,
  ids: readonly number[],
  all: ReadonlySet<number>,
): Candidate[] {
  const find = prepare(
    `SELECT page.url, page.title AS page_title, section.anchor, section.title, section.heading, section.path, section.text, proposed,
       page.sections AS page_sections, terms.text AS terms
     FROM section JOIN page ON page.id = section.page JOIN terms ON terms.rowid = section.id
     WHERE section.id = ?`,
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
      terms: String(row['terms']),
      row: id,
      pageSections: Number(row['page_sections']),
      hasAll: all.has(id),
    }
    if (row['proposed'] === 1) section.isProposed = true
    return [section]
  })
}
