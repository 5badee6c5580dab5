import type { Element } from 'hast'
import { hasBelow } from '../tree/below.ts'
import { elementsIn } from '../tree/children.ts'
import { element } from '../tree/element.ts'
import { classesOf, stringProperty } from '../tree/properties.ts'
import { shortText } from '../tree/short-text.ts'
import { isHeading, isTag } from '../tree/tags.ts'
import { readCode } from './read-code.ts'

/** Limits of spans; a hostile page may declare millions of columns. */
const maxColumnSpan = 100
const maxTableColumns = 1_000
const maxRowSpan = 65_534

export interface Cell {
  element: Element
  header: boolean
  /** The part of the table; cells do not span several parts. */
  part: Element
}

/** The cells of a table's own rows; empty rows are kept for the cells that span them. */
export function rowsOf(table: Element): Cell[][] {
  const rows: Cell[][] = []
  for (const part of elementsIn(table))
    if (isRow(part)) addRow(rows, part, table)
    else if (isRowGroup(part))
      for (const row of elementsIn(part)) if (isRow(row)) addRow(rows, row, part)
  return rows
}

/** Doxygen writes the description of a member as a row below it, and a separator as a row. */
function addRow(rows: Cell[][], row: Element, part: Element): void {
  const cells = cellsOf(row, part)
  const [described, text] = [rows.at(-1)?.at(-1), cells.at(-1)?.element]
  const classes = classesOf(row)
  if (described && text && classes.some((name) => name.startsWith('memdesc:')))
    described.element = element(described.element.tagName, [
      ...described.element.children,
      element('p', text.children),
    ])
  else if (!classes.some((name) => name.startsWith('separator:'))) rows.push(cells)
}

const isRow = isTag('tr')
const isRowGroup = isTag('thead tbody tfoot')

const cellsOf = (row: Element, part: Element): Cell[] =>
  elementsIn(row)
    .filter(isTag('td th'))
    .map((element) => ({ element, header: element.tagName === 'th', part }))

/** Header rows: those of the `thead`, else the first one if it consists of titles. */
function headRowsOf(rows: readonly Cell[][]): number {
  const filled = rows.filter((row) => row.length > 0)
  const inHead = filled.findIndex((row) => row[0]?.part.tagName !== 'thead')
  if (inHead !== 0) return inHead < 0 ? 1 : inHead
  return filled[0]?.every((cell) => cell.header) ? 1 : 0
}

/**
 * A single column, or cells with content that a Markdown cell cannot represent, mean layout; a table
 * of data has a header, or columns that repeat, and stays one unless a cell is longer than a screen.
 */
function isLayout(table: Element, rows: readonly Cell[][]): boolean {
  const role = stringProperty(table, 'role')
  if (role === 'presentation' || role === 'none') return true
  if (rows.every((row) => row.length <= 1)) return true
  const hasHeader = headRowsOf(rows) > 0
  const isData = hasHeader || isRegular(rows)
  const isTooMuch = (child: Element, cells: number) =>
    holdsMoreThanACell(child, cells) &&
    !(isData && (isHeading(child) ? hasHeader : linesIn(child) <= maxCellLines))
  return rows.some((row) =>
    row.some(({ element }) => hasBelow(element, (child) => isTooMuch(child, row.length))),
  )
}

function holdsMoreThanACell(element: Element, cells: number): boolean {
  const { tagName } = element
  if (tagName === 'table' || tagName === 'dl') return true
  if (isHeading(element)) return cells > 1
  return tagName === 'pre' && linesIn(element) > 1
}

/** Of code, of a table or of a list of terms in a cell. */
const maxCellLines = 12

function linesIn(element: Element): number {
  if (element.tagName === 'pre') return readCode(element, undefined)?.value.split('\n').length ?? 0
  let lines = 0
  hasBelow(element, (child) => isLine(child) && ++lines > maxCellLines)
  return lines
}

const isLine = isTag('tr dt pre')

const minRegularRows = 3
/** In characters. */
const maxKey = 80

/** True for rows of as many cells, each after a key. */
function isRegular(rows: readonly Cell[][]): boolean {
  const filled = rows.filter((row) => row.length > 0)
  return (
    filled.length >= minRegularRows &&
    filled.every(({ length, 0: key }) => {
      const { element } = key as Cell
      return (
        length === filled[0]?.length &&
        shortText(element, maxKey) !== undefined &&
        !hasBelow(element, (child) => holdsMoreThanACell(child, length))
      )
    })
  )
}

/** Rows grouped into grids, separated by rows that are headings. */
function runsOf(rows: readonly Cell[][]): (Cell[][] | Cell)[] {
  const parts: (Cell[][] | Cell)[] = []
  let run: Cell[][] = []
  for (const row of rows) {
    const [only] = row
    if (row.length === 1 && only && hasBelow(only.element, isHeading)) {
      parts.push(run, only)
      run = []
    } else run.push(row)
  }
  parts.push(run)
  return parts
}

/** A covered cell: its row and column, and those of the spanning cell. */
type CoveredCell = [row: number, column: number, fromRow: number, fromColumn: number]

/** Maximum number of recorded cells; a hostile page may declare millions. */
const maxCovered = 20_000

/**
 * Cells by row and column. A spanning cell is placed at its first position; the others are empty
 * and recorded in `covered`. Rows are as long as their last cell.
 */
function placeCells(rows: readonly Cell[][]): {
  grid: (Element | undefined)[][]
  covered: CoveredCell[]
} {
  /** By column: a cell above, and the number of rows, including this one, that it still covers. */
  const above: { rest: number; row: number; column: number }[] = []
  const covered: CoveredCell[] = []
  const cover = (row: number, column: number, from: { row: number; column: number }): void => {
    if (covered.length < maxCovered) covered.push([row, column, from.row, from.column])
  }
  const grid: (Element | undefined)[][] = []
  let part: Element | undefined
  for (const row of rows) {
    const at = grid.length
    // A span ends with its part of the table.
    if (row[0] && row[0].part !== part) above.length = 0
    part = row[0]?.part ?? part
    const line: (Element | undefined)[] = []
    let column = 0
    const skip = (): void => {
      for (let over = above[column]; over && over.rest > 0; over = above[column]) {
        if (row.length > 0) cover(at, column, over)
        column++
      }
    }
    for (const { element } of row) {
      skip()
      const first = column
      line[first] = element
      const rest = span(element, 'rowSpan', maxRowSpan) || maxRowSpan
      const wide = column > maxTableColumns ? 1 : span(element, 'colSpan', maxColumnSpan) || 1
      for (let across = wide; across > 0; across--) {
        if (column > first) cover(at, column, { row: at, column: first })
        above[column++] = { rest, row: at, column: first }
      }
    }
    skip()
    for (const over of above) if (over) over.rest = Math.max(0, over.rest - 1)
    // A row without cells counts only for spans.
    if (row.length > 0) grid.push(Array.from(line))
  }
  return { grid, covered }
}

/** What is in a table, or in its parts: cells on their own, and grids. */
export const partsOf = (table: Element, rows: readonly Cell[][]): (Cell[][] | Cell)[] =>
  isLayout(table, rows) ? rows.flat() : runsOf(rows)

/** A grid with its contents; the header is as wide as the widest row, and blank in a grid without one. */
export function readGrid<Content>(
  rows: readonly Cell[][],
  contentOf: (cell: Element) => Content,
  empty: Content,
): { header: Content[]; body: Content[][]; headRows: number; covered: CoveredCell[] } {
  const { grid, covered } = placeCells(rows)
  const body = grid.map((row) => row.map((cell) => (cell ? contentOf(cell) : empty)))
  const width = body.reduce((widest, row) => Math.max(widest, row.length), 0)
  const headRows = headRowsOf(rows)
  const header = headRows > 0 ? (body.shift() ?? []) : []
  // GFM extends rows that are shorter than the header, so only the header is complete.
  while (header.length < width) header.push(empty)
  return { header, body, headRows, covered }
}

/** 0 means all remaining. */
function span(element: Element, property: string, limit: number): number {
  const value = Math.floor(Number(element.properties[property] ?? 1))
  return value >= 0 ? Math.min(value, limit) : 1
}
