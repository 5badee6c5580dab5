import { termsOf } from '@pith-mcp/scorer'
import type { Query } from '../postgres/database.ts'
import type { IndexedPage, IndexedText } from './search-index.ts'
import { wordsIn } from './words.ts'

/** PostgreSQL stores no NUL characters and no halves of surrogate pairs. */
const storable = (text: string): string =>
  text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD')

/** A value for `json_to_recordset`. */
const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? storable(part) : part))

/** A term in the index, where those of all sources are together. */
export const lexemeOf = (source: number, term: string): string => `${source}:${storable(term)}`

/** Delete pages with their sections and counts. */
export async function removePages(
  query: Query,
  source: number,
  urls: readonly string[],
): Promise<void> {
  const gone = await query(
    'SELECT id FROM pith_docs_page WHERE source = $1 AND md5(url) IN (SELECT md5(unnest($2::text[])))',
    [source, urls],
  )
  if (gone.length === 0) return
  const ids = [gone.map((row) => row['id'])]
  await query(
    `UPDATE pith_docs_count AS counted SET sections = counted.sections - gone.n
     FROM (SELECT lexeme, count(*) AS n
       FROM pith_docs_section AS section JOIN pith_docs_terms AS own ON own.section = section.id,
         unnest(tsvector_to_array(own.terms)) AS lexeme
       WHERE section.page = ANY($1::bigint[]) GROUP BY lexeme) AS gone
     WHERE counted.term = gone.lexeme`,
    ids,
  )
  await query('DELETE FROM pith_docs_page WHERE id = ANY($1::bigint[])', ids)
}

/** Insert pages that are not there, their sections, terms and words. */
export async function enterPages(
  query: Query,
  source: number,
  pages: readonly IndexedPage[],
): Promise<void> {
  const ids = await query(
    "SELECT nextval('pith_docs_page_id_seq') AS id FROM generate_series(1, $1)",
    [pages.length],
  )
  const counts = new Map<string, number>()
  const words = new Set<string>()
  const sections: object[] = []
  const entered = pages.map((page, at) => {
    const id = Number(ids[at]?.['id'])
    let length = 0
    for (const section of page.sections) {
      const entry = sectionEntry(source, page, section)
      for (const lexeme of entry.lexemes) counts.set(lexeme, (counts.get(lexeme) ?? 0) + 1)
      length += entry.row.length
      sections.push({ page: id, ...entry.row })
      const text = page.isProposed ? '' : section.text
      for (const word of wordsIn(`${section.heading}\n${text}`)) words.add(storable(word))
    }
    const { url, title, language, stamp, isProposed: proposed = false } = page
    const headings = JSON.stringify(page.headings)
    const left_out = page.leftOut ?? 0
    const figures = { sections: page.sections.length, left_out, length }
    return { id, url, title, language, stamp, headings, proposed, ...figures }
  })
  await query(
    `INSERT INTO pith_docs_page (id, source, url, title, language, stamp, read_at, headings, sections, left_out, length, proposed)
     SELECT id, $1, url, title, language, stamp, $2, headings, sections, left_out, length, proposed
     FROM json_to_recordset($3) AS page(id bigint, url text, title text, language text, stamp text,
       headings text, sections integer, left_out integer, length bigint, proposed boolean)`,
    [source, Date.now(), storableJson(entered)],
  )
  await query(
    `WITH entered AS (
       SELECT nextval('pith_docs_section_id_seq') AS id, one.* FROM json_to_recordset($1)
         AS one(page bigint, anchor text, title text, heading text, path text, tokens integer, text text,
           terms text, length integer, vector text)),
     texts AS (
       INSERT INTO pith_docs_section (id, page, anchor, title, heading, path, tokens, text, terms)
       SELECT id, page, anchor, title, heading, path, tokens, text, terms FROM entered)
     INSERT INTO pith_docs_terms (section, page, length, terms)
     SELECT id, page, length, vector::tsvector FROM entered`,
    [storableJson(sections)],
  )
  await query(
    `INSERT INTO pith_docs_word (source, first, length, word)
     SELECT $1, left(word, 1), length(word), word FROM unnest($2::text[]) AS word
     ON CONFLICT DO NOTHING`,
    [source, [...words]],
  )
  await query(
    `INSERT INTO pith_docs_count AS counted (term, source, sections)
     SELECT term, $1, n FROM unnest($2::text[], $3::integer[]) AS new(term, n)
     ON CONFLICT (term) DO UPDATE SET sections = counted.sections + excluded.sections`,
    [source, [...counts.keys()], [...counts.values()]],
  )
}

/** At most this many occurrences of a term in a section are counted, a limit of PostgreSQL. */
const maxPositions = 255

/** A section as it is stored. Its vector has a position for each occurrence, by weight. */
function sectionEntry(source: number, page: IndexedPage, section: IndexedText) {
  const { id: anchor, title, heading, tokens, text } = section
  const terms = page.isProposed ? text.split(' ').filter((term) => term !== '') : termsOf(text)
  const fields = [
    { weight: 'A', terms: termsOf(heading) },
    { weight: 'B', terms: termsOf(anchor) },
    { weight: 'B', terms: termsOf([page.title, ...section.path].join('\n')) },
    { weight: 'D', terms },
  ]
  const positions = new Map<string, string[]>()
  let length = 0
  for (const field of fields) {
    length += field.terms.length
    for (const term of field.terms) {
      const lexeme = lexemeOf(source, term)
      const places = positions.get(lexeme) ?? []
      if (places.length < maxPositions) places.push(`${places.length + 1}${field.weight}`)
      positions.set(lexeme, places)
    }
  }
  const vector = [...positions]
    .map(([lexeme, places]) => `'${lexeme.replace(/['\\]/g, '$&$&')}':${places.join(',')}`)
    .join(' ')
  const path = JSON.stringify(section.path)
  const row = { anchor, title, heading, path, tokens, text, terms: terms.join(' '), length, vector }
  return { lexemes: [...positions.keys()], row }
}
