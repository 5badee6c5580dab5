import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { termsOf } from '@pith-mcp/scorer'
import type { SqlValue } from '#base/sqlite-driver'
import type { Prepare } from '#base/sqlite-store'
import type { IndexedPage } from './search-index.ts'
import { wordsIn } from './words.ts'

/** Delete a page with its sections, if it is in the tables. */
export function removePage(prepare: Prepare, url: string): void {
  const id = prepare('SELECT id FROM page WHERE url = ?').get(url)?.['id']
  if (id === undefined) return
  const sections = prepare('SELECT id, terms FROM section WHERE page = ?').all(id)
  // FTS5 stores no text, so it needs what was entered to take it out again.
  const removeTerms = prepare(
    "INSERT INTO terms (terms, rowid, heading, anchor, path, text) VALUES ('delete', ?, ?, ?, ?, ?)",
  )
  for (const row of sections) removeTerms.run(row['id'] ?? null, ...termsIn(row['terms']))
  prepare('DELETE FROM section WHERE page = ?').run(id)
  prepare('DELETE FROM page WHERE id = ?').run(id)
}

/** Insert a page, its sections, their terms and words. */
export function enterPage(prepare: Prepare, page: IndexedPage): void {
  const { lastInsertRowid: id } = prepare(
    'INSERT INTO page (url, title, language, stamp, read_at, headings, sections, left_out, failed, proposed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?)',
  ).run(
    page.url,
    page.title,
    page.language ?? null,
    page.stamp,
    Date.now(),
    JSON.stringify(page.headings),
    page.sections.length,
    page.leftOut ?? 0,
    page.isProposed ? 1 : 0,
  )
  const enterSection = prepare(
    'INSERT INTO section (page, anchor, title, heading, path, tokens, text, terms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const enterTerms = prepare(
    'INSERT INTO terms (rowid, heading, anchor, path, text) VALUES (?, ?, ?, ?, ?)',
  )
  const words = new Set<string>()
  for (const section of page.sections) {
    const { id: anchor, title, heading, path, tokens, text } = section
    const terms = [
      ...[heading, anchor, [page.title, ...path].join('\n')].map(termText),
      page.isProposed ? text : termText(text),
    ]
    const row = enterSection.run(
      id,
      anchor,
      title,
      heading,
      JSON.stringify(path),
      tokens,
      text,
      deflateRawSync(terms.join('\n')),
    )
    enterTerms.run(row.lastInsertRowid, ...terms)
    for (const word of wordsIn(page.isProposed ? heading : `${heading}\n${text}`)) words.add(word)
  }
  const enterWord = prepare('INSERT OR IGNORE INTO word (first, length, word) VALUES (?, ?, ?)')
  for (const word of words) enterWord.run(word.slice(0, 1), word.length, word)
}

const termText = (text: string): string => termsOf(text).join(' ')

/** The terms of a section as the column has them: of its heading, its anchor, its path, and its text. */
export function termsIn(column: SqlValue | undefined): [string, string, string, string] {
  const lines = inflateRawSync(column as Uint8Array)
    .toString()
    .split('\n')
  return [lines[0] ?? '', lines[1] ?? '', lines[2] ?? '', lines.slice(3).join('\n')]
}
