import type { Element } from 'hast'
import { codeOfTable } from '../read/read-code-table.ts'
import { type Cell, partsOf, readGrid, rowsOf } from '../read/read-table.ts'
import { hasBelow } from '../tree/below.ts'
import { childOf } from '../tree/children.ts'
import { isBlock } from '../tree/tags.ts'
import { codeSpan, writeCodeBlock } from './code-block.ts'
import { escapeText } from './escape-text.ts'
import type { FlatNode } from './flat-tree.ts'
import { inlineMarkdown } from './inline.ts'
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
  for (const part of partsOf(table, rows))
    if (Array.isArray(part)) writeGrid(part, state)
    else {
      state.flow(part.element.children)
      state.flush()
    }
}

function writeGrid(rows: readonly Cell[][], state: State): void {
  const contentOf = (cell: Element) => cellText(cell, state)
  const { header, body, headRows, covered } = readGrid(rows, contentOf, '')
  if (header.length === 0) return
  // A table without a header gets an empty one, which shifts all rows by one.
  const below = headRows > 0 ? 0 : 1
  state.block({
    kind: 'table',
    markdown: tableMarkdown(header, body),
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

export const tableMarkdown = (header: string[], body: readonly string[][]): string =>
  [header, header.map(() => '-'), ...body].map((line) => `|${line.join('|')}|`).join('\n')

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
