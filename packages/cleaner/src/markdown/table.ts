import type { Element } from 'hast'
import { codeOfTable } from '../read/read-code-table.ts'
import { type Cell, headRowsOf, isLayout, placeCells, rowsOf, runsOf } from '../read/read-table.ts'
import { childOf, hasBelow } from '../tree/below.ts'
import { isBlock } from '../tree/tags.ts'
import { writeCodeBlock } from './code-block.ts'
import { escapeText } from './escape-text.ts'
import type { FlatNode } from './flat-tree.ts'
import { codeSpan, inlineMarkdown } from './inline.ts'
import { mergeBlocks } from './prefixed.ts'
import { type State, writeApart } from './state.ts'

/** A data table becomes a GFM table without padding; a layout table becomes its content. */
export function writeTable(table: Element, state: State): void {
  const rows = rowsOf(table)
  const code = codeOfTable(table, rows, state.codeLanguage !== undefined)
  if (code) {
    writeCodeBlock(code, state)
    return
  }
  const caption = childOf(table, 'caption')
  if (caption) {
    state.flow(caption.children)
    state.flush()
  }
  if (isLayout(table, rows)) {
    for (const cell of rows.flat()) writeCell(cell, state)
    return
  }
  for (const part of runsOf(rows))
    if (Array.isArray(part)) writeGrid(part, state)
    else writeCell(part, state)
}

function writeCell({ element }: Cell, state: State): void {
  state.flow(element.children)
  state.flush()
}

function writeGrid(rows: readonly Cell[][], state: State): void {
  const { grid: cells, covered } = placeCells(rows)
  const grid = cells.map((row) => row.map((cell) => (cell ? cellText(cell, state) : '')))
  const width = grid.reduce((widest, row) => Math.max(widest, row.length), 0)
  if (width === 0) return
  const headRows = headRowsOf(rows)
  const hasHeader = headRows > 0
  const header = hasHeader ? (grid.shift() ?? []) : []
  // GFM extends rows that are shorter than the header, so only the header is complete.
  while (header.length < width) header.push('')
  const lines = [header, header.map(() => '-'), ...grid]
  // A table without a header gets an empty one, which shifts all rows by one.
  const below = hasHeader ? 0 : 1
  state.block({
    kind: 'table',
    markdown: lines.map((line) => `|${line.join('|')}|`).join('\n'),
    ...(headRows > 1 && { headRows }),
    ...(covered.length > 0 && {
      covered: covered.map(([row, column, fromRow, fromColumn]) => [
        row + below,
        column,
        fromRow + below,
        fromColumn,
      ]),
    }),
  })
}

function cellText(element: Element, state: State): string {
  const text = hasBelow(element, isBlock)
    ? blockCell(element, state)
    : inlineMarkdown(element.children, state.settings)
  const safe = text.replace(/(?<!\\)\|/g, '\\|')
  // A trailing backslash would escape the end of the cell.
  return /(?<!\\)(?:\\\\)*\\$/.test(safe) ? `${safe} ` : safe
}

/** Lists, code, paragraphs and tables of a cell on one line. */
function blockCell(element: Element, state: State): string {
  const nodes = writeApart(state, (apart) => apart.flow(element.children))
  for (const node of nodes)
    if (node.type === 'flatAnchor') state.out.push(node)
    else if ('title' in node && node.id) state.out.push({ type: 'flatAnchor', id: node.id })
  return nodes.flatMap(cellLines).join('<br>').replaceAll('\n', '<br>')
}

function cellLines(node: FlatNode): string[] {
  if (node.type === 'flatHeading') return [`**${escapeText(node.title, true)}**`]
  if (node.type !== 'flatBlock') return []
  const lines = node.block.markdown.split('\n')
  if (node.block.kind === 'code')
    return lines.slice(1, -1).map((line) => (line.trim() === '' ? '' : codeSpan(line)))
  if (node.block.kind !== 'table') return [mergeBlocks([node.block], true)]
  const rows = lines
    .filter((_line, at) => at !== 1)
    .map((line) => line.slice(1, -1).split(/(?<!\\)\|/))
  return rows.map((row) => row.filter(Boolean).join(', ')).filter(Boolean)
}
