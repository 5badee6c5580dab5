import { hasRoom, maxColumns, type Row } from '../../parts/table-html.ts'

export const simpleRule: RegExp = /^=+(?: +=+)+\s*$/
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
  for (const line of lines.slice(1)) {
    if (simpleRule.test(line)) {
      if (grid.headRows === 0) grid.headRows = grid.rows.length
      continue
    }
    const cells = starts.map((start, at) => line.slice(start, starts[at + 1]).trim())
    // A row without its first cell continues the one above.
    isNew = isNew || cells[0] !== ''
    if (cells.every((cell) => cell === '') || /^[-\s]+$/.test(line)) isNew = true
    else add(grid, cells, isNew)
    isNew = cells.every((cell) => cell === '')
  }
  if (grid.headRows === grid.rows.length) grid.headRows = 0
  return grid
}

/** A table that is drawn with `+---+`. */
export function gridTable(lines: readonly string[]): Grid {
  const borders = [...(lines[0] ?? '').matchAll(/\+/g)].map(({ index }) => index)
  if (borders.length > maxColumns) borders.splice(maxColumns, borders.length - maxColumns - 1)
  const grid: Grid = { rows: [], headRows: 0, unread: 0 }
  let isNew = true
  for (const line of lines.slice(1)) {
    if (/\+[-=]{2,}\+/.test(line)) {
      if (line.includes('+=')) grid.headRows = grid.rows.length
      isNew = true
      continue
    }
    const cells = borders.slice(0, -1).map(() => '')
    let cell = 0
    for (let at = 0; at < cells.length; at++) {
      // Without a border before it, a column belongs to the cell on its left.
      if (line[borders[at] ?? 0] === '|') cell = at
      cells[cell] += line.slice((borders[at] ?? 0) + (cell === at ? 1 : 0), borders[at + 1])
    }
    add(
      grid,
      cells.map((text) => text.trim()),
      isNew,
    )
    isNew = false
  }
  return grid
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
