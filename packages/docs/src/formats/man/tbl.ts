import { hasRoom, maxColumns, type Row, tableHtml } from '../parts/table-html.ts'

/** A table of tbl: options and formats up to a point, then rows. `html` reads the lines of a cell. */
export function tblHtml(
  source: readonly string[],
  html: (lines: readonly string[]) => string,
): string {
  const tab = /^[^.]*\btab\s*\((.)\)/.exec(source[0] ?? '')?.[1] ?? '\t'
  const end = formatEnd(source, 0)
  const formats = source.slice(/;\s*$/.test(source[0] ?? '') ? 1 : 0, end)
  const rows: Row[] = []
  let headRows =
    formats.length > 1 && /^[^a-z]*(?:[a-z][^a-z]*b[^a-z]*)+$/i.test(formats[0] ?? '') ? 1 : 0
  let unread = 0
  for (let at = end; at < source.length; at++) {
    const line = source[at] ?? ''
    if (/^\.T&/.test(line)) at = Math.max(formatEnd(source, at) - 1, at)
    else if (/^\s*[_=]\s*$/.test(line)) {
      // The rule below a header, of which a title above all columns is a part.
      if (rows.length === 1 || (rows.length === 2 && rows[0]?.length === 1)) headRows = rows.length
    } else if (!/^\.\s*\S/.test(line)) {
      const cells = line.split(tab)
      if (cells.length > maxColumns) cells.push(cells.splice(maxColumns - 1).join(' '))
      const row: Row = []
      for (let cell = 0; cell < cells.length; cell++) {
        if (!/^\s*T\{\s*$/.test(cells[cell] ?? '')) row.push(html([cells[cell] ?? '']))
        else {
          const from = at + 1
          do at++
          while (at < source.length && !source[at]?.startsWith('T}'))
          row.push(html(source.slice(from, at)))
          cells.push(...(source[at] ?? '').split(tab).slice(1))
        }
      }
      while (row.at(-1) === '') row.pop()
      if (!hasRoom(rows, row)) unread++
      else if (row.length > 0) rows.push(row)
    }
  }
  return tableHtml(rows, headRows, unread)
}

/** Where the lines of formats end, the last of which ends with a point. */
function formatEnd(source: readonly string[], from: number): number {
  for (let at = from; at < Math.min(source.length, from + 50); at++)
    if (/\.\s*$/.test(source[at] ?? '')) return at + 1
  return from
}
