import type { Candidate, Failure, IndexTotals, KnownPage } from './search-index.ts'

/** A row of a database. Columns have the same names in each, flags are booleans or 0 and 1. */
type Row = Readonly<Record<string, unknown>>

export const knownPages = (rows: readonly Row[]): Map<string, KnownPage> =>
  new Map(
    rows.map((row) => [
      String(row['url']),
      {
        stamp: String(row['stamp']),
        readAt: Number(row['read_at']),
        failed: Boolean(row['failed']),
        isProposed: Boolean(row['proposed']),
      },
    ]),
  )

export const titlesOf = (rows: readonly Row[]): { url: string; title: string }[] =>
  rows.map((row) => ({ url: String(row['url']), title: String(row['title']) }))

/** The title of a page that could not be read is the reason. */
export const failuresOf = (rows: readonly Row[]): Failure[] =>
  titlesOf(rows).map(({ url, title }) => ({ url, problem: title }))

/** `sections` are those of pages that were read. */
export function totalsOf(pages: Row | undefined, languages: readonly Row[]): IndexTotals {
  const failed = Number(pages?.['failed'] ?? 0)
  const proposed = Number(pages?.['proposed'] ?? 0)
  return {
    pages: Number(pages?.['all_pages']) - failed - proposed,
    proposed,
    sections: Number(pages?.['sections'] ?? 0),
    failed,
    leftOut: Number(pages?.['left_out'] ?? 0),
    languages: new Map(languages.map((row) => [String(row['language']), Number(row['n'])])),
  }
}

export function candidateOf(row: Row, all: ReadonlySet<number>): Candidate {
  const id = Number(row['id'])
  const section: Candidate = {
    url: String(row['url']),
    pageTitle: String(row['page_title']),
    id: String(row['anchor']),
    title: String(row['title']),
    heading: String(row['heading']),
    path: JSON.parse(String(row['path'])) as string[],
    text: String(row['text']),
    tokens: Number(row['tokens']),
    terms: String(row['terms']),
    row: id,
    pageSections: Number(row['page_sections']),
    hasAll: all.has(id),
  }
  if (row['proposed']) section.isProposed = true
  return section
}
