import { hasRoom, maxColumns, type Row, tableHtml } from '../../parts/table-html.ts'

/** A table of tbl: options and formats up to a point, then rows. `html` reads the lines of a cell. */
export function tblHtml(
  source: readonly string[],
  html: (lines: readonly string[]) => string,
): string {
  const [first = ''] = source
  const tab = /^[^.]*\btab\s*\((.)\)/.exec(first)?.[1] ?? '\t'
  const end = formatEnd(source, 0)
  const formats = source.slice(/;\s*$/.test(first) ? 1 : 0, end)
  const rows: Row[] = []
  let headRows = formats.length > 1 && boldFormat.test(formats[0] ?? '') ? 1 : 0
  let unread = 0
  for (let at = end; at < source.length; at++) {
    const line = source[at] ?? ''
    if (/^\.T&/.test(line)) at = Math.max(formatEnd(source, at) - 1, at)
    else if (/^\s*[_=]\s*$/.test(line)) headRows = headAbove(rows) ?? headRows
    else if (!/^\.\s*\S/.test(line)) {
      const { cells, last } = rowAt(source, at, tab)
      at = last
      const row = cells.map(html)
      while (row.at(-1) === '') row.pop()
      if (!hasRoom(rows, row)) unread++
      else if (row.length > 0) rows.push(row)
    }
  }
  return tableHtml(rows, headRows, unread)
}

/** A row in which all columns are bold. */
const boldFormat = /^[^a-z]*(?:[a-z][^a-z]*b[^a-z]*)+$/i

/** The rows above a rule that are a header, of which a title above all columns is a part. */
const headAbove = (rows: readonly Row[]): number | undefined =>
  rows.length === 1 || (rows.length === 2 && rows[0]?.length === 1) ? rows.length : undefined

/** The lines of each cell of a row, and its last line: a cell in `T{` and `T}` has several. */
function rowAt(
  source: readonly string[],
  start: number,
  tab: string,
): { cells: (readonly string[])[]; last: number } {
  const texts = (source[start] ?? '').split(tab)
  if (texts.length > maxColumns) texts.push(texts.splice(maxColumns - 1).join(' '))
  const cells: (readonly string[])[] = []
  let last = start
  for (let cell = 0; cell < texts.length; cell++) {
    const text = texts[cell] ?? ''
    if (!/^\s*T\{\s*$/.test(text)) {
      cells.push([text])
      continue
    }
    const from = last + 1
    do last++
    while (last < source.length && !source[last]?.startsWith('T}'))
    cells.push(source.slice(from, last))
    texts.push(...(source[last] ?? '').split(tab).slice(1))
  }
  return { cells, last }
}

/** Where the lines of formats end, the last of which ends with a point. */
function formatEnd(source: readonly string[], from: number): number {
  for (let at = from; at < Math.min(source.length, from + 50); at++)
    if (/\.\s*$/.test(source[at] ?? '')) return at + 1
  return from
}
