import type { Element } from 'hast'
import { hasBelow } from '../tree/has-below.ts'
import { isElement, stringProperty } from '../tree/properties.ts'
import { readCode } from './read-code.ts'

/** Spans are honoured up to this; a hostile page may ask for millions of columns. */
const widestSpan = 100

export interface Cell {
  element: Element
  header: boolean
}

/** The cells of a table's own rows; empty rows are left out. */
export function rowsOf(table: Element): Cell[][] {
  const parts = table.children.filter((child) => isElement(child))
  const rows = parts.flatMap((part) =>
    part.tagName === 'tr'
      ? [part]
      : ['thead', 'tbody', 'tfoot'].includes(part.tagName)
        ? part.children.filter((child) => isElement(child, 'tr'))
        : [],
  ) as Element[]
  return rows
    .map((row) =>
      row.children
        .filter((child) => isElement(child, 'td') || isElement(child, 'th'))
        .map((element) => ({ element, header: element.tagName === 'th' }) as Cell),
    )
    .filter((row) => row.length > 0)
}

/** One column, or cells that hold more than a cell can say, mean layout. */
export function isLayout(table: Element, rows: readonly Cell[][]): boolean {
  const role = stringProperty(table, 'role')
  if (role === 'presentation' || role === 'none') return true
  if (rows.every((row) => row.length <= 1)) return true
  return rows.some((row) =>
    row.some(({ element }) => hasBelow(element, (child) => holdsMoreThanACell(child, row.length))),
  )
}

const isHeading = ({ tagName }: Element): boolean => /^h[1-6]$/.test(tagName)

function holdsMoreThanACell(element: Element, cells: number): boolean {
  const { tagName } = element
  if (tagName === 'table' || tagName === 'dl') return true
  if (isHeading(element)) return cells > 1
  return tagName === 'pre' && readCode(element, undefined)?.value.includes('\n') === true
}

/** Rows in runs that can be a grid each, parted by rows that are a heading. */
export function runsOf(rows: readonly Cell[][]): (Cell[][] | Cell)[] {
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

/** A cell of a grid that another one spans: its row and column, and those of the other. */
export type CoveredCell = [row: number, column: number, fromRow: number, fromColumn: number]

/** More are not told; a hostile page may ask for millions. */
const mostCovered = 20_000

/**
 * Cells by row and column; one that spans several stands in the first, the rest are empty, and told.
 * Rows are as long as their last cell.
 */
export function placeCells(rows: readonly Cell[][]): {
  grid: (Element | undefined)[][]
  covered: CoveredCell[]
} {
  /** By column: rows, this one included, that a cell further up still covers, and which cell. */
  const above: { rest: number; row: number; column: number }[] = []
  const covered: CoveredCell[] = []
  const cover = (row: number, column: number, from: { row: number; column: number }): void => {
    if (covered.length < mostCovered) covered.push([row, column, from.row, from.column])
  }
  const grid = rows.map((row, at) => {
    const line: (Element | undefined)[] = []
    let column = 0
    const skip = (): void => {
      for (let over = above[column]; over && over.rest > 0; over = above[column])
        cover(at, column++, over)
    }
    for (const { element } of row) {
      skip()
      const first = column
      line[first] = element
      const rest = span(element, 'rowSpan')
      for (let across = span(element, 'colSpan'); across > 0; across--) {
        if (column > first) cover(at, column, { row: at, column: first })
        above[column++] = { rest, row: at, column: first }
      }
    }
    skip()
    for (const over of above) if (over) over.rest = Math.max(0, over.rest - 1)
    return Array.from(line)
  })
  return { grid, covered }
}

function span(element: Element, property: string): number {
  const value = Math.floor(Number(element.properties[property] ?? 1))
  return value >= 1 ? Math.min(value, widestSpan) : 1
}
