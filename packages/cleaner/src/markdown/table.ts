import type { Element } from 'hast'
import { blockTags } from '../tree/block-tags.ts'
import { hasBelow } from '../tree/has-below.ts'
import { isElement, stringProperty } from '../tree/properties.ts'
import { codeBlock } from './code-block.ts'
import { inlineMarkdown } from './inline.ts'
import { anchorsOf, blocksOf, mergeBlocks } from './prefixed.ts'
import { type State, writeApart } from './state.ts'
import { type Cell, rowsOf } from './table-rows.ts'

/** Spans are honoured up to this; a hostile page may ask for millions of columns. */
const widestSpan = 100

/** A grid of data becomes a GFM table without padding; a table used for layout, its content. */
export function writeTable(table: Element, state: State): void {
  const rows = rowsOf(table)
  const caption = table.children.find((child) => isElement(child, 'caption')) as Element | undefined
  if (caption) {
    state.flow(caption.children)
    state.flush()
  }
  if (isLayout(table, rows)) {
    for (const cell of rows.flat()) writeCell(cell, state)
    return
  }
  // A row that is a heading parts the table in two.
  let run: Cell[][] = []
  for (const row of rows) {
    const [only] = row
    if (row.length === 1 && only && hasBelow(only.element, isHeading)) {
      writeGrid(run, state)
      writeCell(only, state)
      run = []
    } else run.push(row)
  }
  writeGrid(run, state)
}

function writeCell({ element }: Cell, state: State): void {
  state.flow(element.children)
  state.flush()
}

function writeGrid(rows: readonly Cell[][], state: State): void {
  const grid = toGrid(rows, state)
  const width = grid.reduce((widest, row) => Math.max(widest, row.length), 0)
  if (width === 0) return
  const hasHeader = rows[0]?.every((cell) => cell.header) ?? false
  const header = hasHeader ? (grid.shift() ?? []) : []
  // GFM fills up rows that are shorter than the header, so only the header is written in full.
  while (header.length < width) header.push('')
  const lines = [header, header.map(() => '-'), ...grid]
  state.text('table', lines.map((cells) => `|${cells.join('|')}|`).join('\n'))
}

/** One column, or cells that hold more than a cell can say, mean layout. */
function isLayout(table: Element, rows: readonly Cell[][]): boolean {
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
  return tagName === 'pre' && (codeBlock(element, undefined)?.lines ?? 0) > 1
}

/** Cells by row and column. A cell that spans several stands in the first; the rest are empty. */
function toGrid(rows: readonly Cell[][], state: State): string[][] {
  /** By column: rows, this one included, that a cell further up still covers. */
  const covered: number[] = []
  return rows.map((row) => {
    const line: string[] = []
    let column = 0
    for (const { element } of row) {
      while ((covered[column] ?? 0) > 0) column++
      const down = span(element, 'rowSpan')
      line[column] = cellText(element, state)
      for (let across = span(element, 'colSpan'); across > 0; across--) covered[column++] = down
    }
    for (const [index, rest] of covered.entries()) covered[index] = Math.max(0, (rest ?? 0) - 1)
    return Array.from(line, (cell) => cell ?? '')
  })
}

function span(element: Element, property: string): number {
  const value = Math.floor(Number(element.properties[property] ?? 1))
  return value >= 1 ? Math.min(value, widestSpan) : 1
}

function cellText(element: Element, state: State): string {
  const text = hasBelow(element, (child) => blockTags.has(child.tagName))
    ? blockCell(element, state)
    : inlineMarkdown(element.children, state.settings)
  return text.replace(/(?<!\\)\|/g, '\\|')
}

/** Lists, code and paragraphs in a cell, on one line. */
function blockCell(element: Element, state: State): string {
  const nodes = writeApart(state, (apart) => apart.flow(element.children))
  state.append(anchorsOf(nodes))
  return blocksOf(nodes)
    .map((block) =>
      block.kind === 'code'
        ? block.markdown
            .split('\n')
            .slice(1, -1)
            .map((line) => `\`${line}\``)
            .join('<br>')
        : mergeBlocks([block], true),
    )
    .join('<br>')
    .replaceAll('\n', '<br>')
}
