import type { Query } from '../postgres/database.ts'
import type { CountCache, StoredCounts } from './count-cache.ts'
import type { Match, Matcher } from './find-candidates.ts'
import { lexemeOf } from './postgres-pages.ts'
import type { IndexTotals } from './search-index.ts'
import { candidateOf, totalsOf } from './stored-rows.ts'

/** With what BM25 needs: all sections, unread ones included, and their terms on average. */
export interface Totals extends IndexTotals {
  items: number
  averageLength: number
}

type Counts = CountCache<Totals>

/** Finds sections by GIN, and scores them as FTS5 does, so that both find the same. */
export const postgresMatcher = (query: Query, source: number, counts: Counts): Matcher => ({
  matches: (...args) => matches(query, source, counts, ...args),
  async sections(ids, all) {
    const rows = await query(
      `SELECT section.id, page.url, page.title AS page_title, anchor, section.title, heading, path,
         section.tokens, section.text, proposed, page.sections AS page_sections, section.terms
       FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted(id, at)
       JOIN pith_docs_section AS section USING (id) JOIN pith_docs_page AS page ON page.id = page
       ORDER BY at`,
      [ids],
    )
    return rows.map((row) => candidateOf(row, all))
  },
})

/** Of BM25, as in FTS5. */
const saturation = 1.2
const lengthShare = 0.75
/** Of terms in the text, the anchor and the path, and the heading, as shares of the last. */
const weights = '{0.125,0.25,0.25,1}'
const headingWeight = 8

const quoted = (lexeme: string): string => `'${lexeme.replace(/['\\]/g, '$&$&')}'`

async function matches(
  query: Query,
  source: number,
  counts: Counts,
  ...[groups, { limit, language }, full, isScored]: Parameters<Matcher['matches']>
): Promise<Match[]> {
  const anyOf = (terms: readonly string[]): string =>
    `(${terms.map((term) => quoted(lexemeOf(source, term))).join('|')})`
  const values: unknown[] = [groups.map(anyOf).join('&'), limit]
  const conditions: string[] = []
  if (language !== undefined)
    conditions.push(`AND page IN (SELECT id FROM pith_docs_page WHERE source = ${source}
      AND (lower(language) = $${values.push(language.toLowerCase())} OR lower(language) LIKE $${values.length} || '-%'
      OR (proposed AND language IS NULL)))`)
  if (full.length > 0) conditions.push(`AND page <> ALL($${values.push(full)}::bigint[])`)
  const { items, averageLength } = await counts.totals()
  const terms = groups.flat()
  const termCounts = await counts.itemsWith(terms)
  // For one term, `ts_rank_cd` is the sum of the weights of its positions.
  const scores = (isScored ? terms : []).map((term, at) => {
    const rarity = Math.log((items - (termCounts[at] ?? 0) + 0.5) / ((termCounts[at] ?? 0) + 0.5))
    const position = values.push(quoted(lexemeOf(source, term)))
    return `${Math.max(rarity, 1e-6)} * (1 - 1 / (1 + factor * ts_rank_cd('${weights}', terms, $${position}::tsquery)))`
  })
  const relative = `(length / ${averageLength}::float8)`
  const rows = await query(
    `SELECT section AS id, page, ${isScored ? `-(${scores.join(' + ')})` : 'section'} AS score
     FROM (SELECT section, page, terms, ${headingWeight / saturation} / (${1 - lengthShare} + ${lengthShare} * ${relative}) AS factor
       FROM pith_docs_terms WHERE terms @@ $1::tsquery ${conditions.join(' ')} OFFSET 0) AS matching
     ORDER BY score, section LIMIT $2`,
    values,
  )
  return rows.map((row) => ({
    id: Number(row['id']),
    page: Number(row['page']),
    score: Number(row['score']),
  }))
}

export const storedCounts = (query: Query, source: number): StoredCounts<Totals> => ({
  async version() {
    const [row] = await query('SELECT changes FROM pith_docs_source WHERE id = $1', [source])
    return String(row?.['changes'])
  },
  async totals() {
    const [pages] = await query(
      `SELECT count(*) AS all_pages, count(*) FILTER (WHERE failed) AS failed,
         count(*) FILTER (WHERE proposed) AS proposed,
         count(*) FILTER (WHERE left_out > 0) AS left_out,
         sum(sections) FILTER (WHERE NOT proposed) AS sections, sum(sections) AS items,
         sum(length) AS length
       FROM pith_docs_page WHERE source = $1`,
      [source],
    )
    const languages = await query(
      `SELECT language, count(*) AS n FROM pith_docs_page WHERE source = $1 AND language IS NOT NULL
       GROUP BY language ORDER BY n DESC LIMIT 20`,
      [source],
    )
    const items = Number(pages?.['items'])
    const averageLength = Number(pages?.['length']) / Math.max(1, items) || 1
    return { ...totalsOf(pages, languages), items, averageLength }
  },
  async itemsWith(terms) {
    const lexemes = terms.map((term) => lexemeOf(source, term))
    const rows = await query(
      'SELECT term, sections FROM pith_docs_count WHERE term = ANY($1::text[])',
      [lexemes],
    )
    const countByLexeme = new Map(rows.map((row) => [String(row['term']), Number(row['sections'])]))
    return lexemes.map((lexeme) => countByLexeme.get(lexeme) ?? 0)
  },
})
