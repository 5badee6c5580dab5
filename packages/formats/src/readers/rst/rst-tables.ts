import { hasRoom, maxColumns, type Row } from '../../parts/table-html.ts'

export const simpleRule: RegExp = /^=+(?: +=+)+\s*$/
const spanRule = /^-+(?: +-+)*\s*$/
export const gridRule: RegExp = /^\+(?:[-=]+\+)+\s*$/

interface Grid {
  rows: Row[]
  headRows: number
  /** Rows that are not among them. */
  unread: number
}

/** A table between rules such as `===  ===`. */
export function simpleTable(lines: readonly string[]): Grid {
  const starts = [...(lines[0] ?? '').matchAll(/=+/g)]
    .map(({ index }) => index)
    .slice(0, maxColumns)
  const grid: Grid = { rows: [], headRows: 0, unread: 0 }
  let isNew = true
  for (const [at, line] of lines.entries()) {
    if (at === 0) continue
    if (simpleRule.test(line)) {
      if (grid.headRows === 0) grid.headRows = grid.rows.length
      continue
    }
    // A line of dashes below a row joins columns.
    const spans = [
      ...(spanRule.test(lines[at + 1] ?? '') ? (lines[at + 1] ?? '') : '').matchAll(/-+/g),
    ]
    const edges = spans.length > 0 ? spans.map(({ index }) => index) : starts
    const cells = starts.map((start) => {
      const edge = edges.indexOf(start)
      return edge < 0 ? '' : line.slice(start, edges[edge + 1]).trim()
    })
    // A row without its first cell continues the one above.
    isNew = isNew || cells[0] !== ''
    if (cells.every((cell) => cell === '') || /^[-\s]+$/.test(line)) isNew = true
    else add(grid, cells, isNew)
    isNew = cells.every((cell) => cell === '')
  }
  if (grid.headRows === grid.rows.length) grid.headRows = 0
  return grid
}

/** A table that is drawn with `+---+`; a cell that spans rows or columns is in the first of them. */
export function gridTable(lines: readonly string[]): Grid {
  const borders = bordersOf(lines)
  const grid: Grid = { rows: [], headRows: 0, unread: 0 }
  /** By column, the row of its cell. */
  const starts = borders.map(() => 0)
  let row = 0
  for (const line of lines.slice(1)) {
    const isRule = /\+[-=]{2,}\+/.test(line)
    if (isRule && line.includes('+=')) grid.headRows = row + 1
    const cells = borders.slice(0, -1).map(() => '')
    let cell = 0
    for (const [at, border] of borders.slice(0, -1).entries()) {
      const text = line.slice(border + 1, borders[at + 1])
      const isEnd = isRule && /^[-=]+$/.test(text)
      if (isEnd) starts[at] = row + 1
      // Without a border before it, a column belongs to the cell on its left.
      if (isEnd || /[|+]/.test(line[border] ?? '')) cell = at
      else cells[cell] += line[border] ?? ''
      if (!isEnd) cells[cell] += text
    }
    for (const at of cells.keys()) addTo(grid, starts[at] ?? 0, at, cells)
    if (isRule) row++
  }
  return grid
}

/** Where columns begin and end, in any of the rules. */
function bordersOf(lines: readonly string[]): number[] {
  const found = new Set<number>()
  for (const line of lines)
    if (/^[+|].*\+[-=]{2,}\+|^\+[-=]{2,}\+/.test(line))
      for (const { index } of line.matchAll(/\+(?=[-=]{2})|(?<=[-=]{2})\+/g)) found.add(index)
  const borders = [...found].sort((one, other) => one - other)
  if (borders.length > maxColumns) borders.splice(maxColumns, borders.length - maxColumns - 1)
  return borders
}

/** Add a line to a cell, with the rows up to it. */
function addTo(grid: Grid, at: number, column: number, cells: Row): void {
  const text = cells[column]?.trim() ?? ''
  if (text === '') return
  while (grid.rows.length <= at && hasRoom(grid.rows, cells)) grid.rows.push(cells.map(() => ''))
  const row = grid.rows[at]
  if (!row) {
    grid.unread = Math.max(grid.unread, at + 1 - grid.rows.length)
    return
  }
  row[column] = row[column] ? `${row[column]}\n${text}` : text
}

/** Add a row, or what the last one has in one more line. */
function add(grid: Grid, cells: Row, isNew: boolean): void {
  const row = grid.rows.at(-1)
  if (isNew && hasRoom(grid.rows, cells)) grid.rows.push(cells)
  else if (isNew) grid.unread++
  else if (grid.unread === 0)
    for (const [at, cell] of cells.entries())
      if (row && cell !== '') row[at] = row[at] ? `${row[at]}\n${cell}` : cell
}

/** The fields of a line of comma-separated values. */
export function csvRow(line: string): Row {
  const fields = line.match(/\s*(?:"(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? []
  return fields
    .filter((field, at) => field !== '' || at < fields.length - 1)
    .map((field) => field.replace(/,$/, '').trim().replace(/^"|"$/g, '').replaceAll('""', '"'))
}
