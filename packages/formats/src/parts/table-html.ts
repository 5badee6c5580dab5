/** Further rows are not read. */
const maxRows = 5_000
const maxCells = 50_000
/** Text in further columns is that of the last one. */
export const maxColumns = 100

export type Row = string[]

/** False for a row that is not read. */
export const hasRoom = (rows: readonly Row[], { length }: Row): boolean =>
  rows.length < maxRows && rows.length * length < maxCells

/**
 * HTML of a table; the cells are HTML. The only cell of a row is as wide as the table. `unread`: the
 * number of rows that are not among them.
 */
export function tableHtml(rows: readonly Row[], headRows: number, unread = 0): string {
  const columns = rows.reduce((most, { length }) => Math.max(most, length), 0)
  const lines = rows.slice(0, maxRows).map((row, at) => {
    const tag = at < headRows ? 'th' : 'td'
    const span = row.length === 1 && columns > 1 ? ` colspan="${columns}"` : ''
    return `<tr>${row.map((cell) => `<${tag}${span}>${cell}</${tag}>`).join('')}</tr>`
  })
  const rest = Math.max(rows.length - maxRows, 0) + unread
  return `<table>${lines.join('\n')}</table>${rest > 0 ? `<p>[${rest} more rows, not read]</p>` : ''}`
}
