import type { Element, ElementContent } from 'hast'
import { type Cell, headRowsOf, isLayout, placeCells, rowsOf, runsOf } from '../read/read-table.ts'
import { childOf, elementsIn, hasBelow } from '../tree/below.ts'
import { isElement } from '../tree/element.ts'
import { blockTags, isBlock } from '../tree/tags.ts'
import { textOf } from '../tree/text-of.ts'
import { type Context, element, text } from './context.ts'
import { plainInline } from './inline.ts'

/** A data table becomes rows of equal cells; a layout table becomes its content. */
export function plainTable(table: Element, context: Context): ElementContent[] {
  const rows = rowsOf(table)
  const caption = childOf(table, 'caption')
  const title = caption ? [element('div', context.flow(caption.children, context))] : []
  const parts = isLayout(table, rows) ? rows.flat() : runsOf(rows)
  const content = parts.flatMap((part) =>
    Array.isArray(part) ? plainGrid(part, context) : plainCell(part, context),
  )
  return [...title, ...content]
}

const plainCell = (cell: Cell, context: Context): ElementContent[] => [
  element('div', context.flow(cell.element.children, context)),
]

function plainGrid(rows: readonly Cell[][], context: Context): ElementContent[] {
  const grid = placeCells(rows).grid.map((row) =>
    row.map((cell) => (cell ? cellContent(cell, context) : [])),
  )
  const width = grid.reduce((widest, row) => Math.max(widest, row.length), 0)
  if (width === 0) return []
  const headRows = headRowsOf(rows)
  const hasHeader = headRows > 0
  const header = hasHeader ? (grid.shift() ?? []) : []
  while (header.length < width) header.push([])
  return [
    element('table', [
      element('thead', [plainRow('th', header)]),
      element(
        'tbody',
        grid.map((row) => plainRow('td', row)),
      ),
    ]),
  ]
}

const plainRow = (tagName: string, cells: readonly ElementContent[][]): Element =>
  element(
    'tr',
    cells.map((content) => element(tagName, content)),
  )

/** The content of a cell on one line. */
function cellContent(cell: Element, context: Context): ElementContent[] {
  if (!hasBelow(cell, isBlock))
    return plainInline(cell.children, context).map((node) =>
      isElement(node, 'br') ? text(' ') : node,
    )
  return linesOf(context.flow(cell.children, context)).flatMap((line, index) =>
    index === 0 ? line : [element('br', []), ...line],
  )
}

/** Plain flow content as lines of running text; items of lists keep their markers. */
function linesOf(nodes: readonly ElementContent[]): ElementContent[][] {
  const lines: ElementContent[][] = []
  let line: ElementContent[] = []
  const end = (): void => {
    const first = line.findIndex(isVisible)
    if (first >= 0) lines.push(line.slice(first, line.findLastIndex(isVisible) + 1))
    line = []
  }
  for (const node of nodes) {
    if (node.type !== 'element' || !blockTags.has(node.tagName)) line.push(node)
    else {
      end()
      lines.push(...blockLines(node))
    }
  }
  end()
  return lines
}

const isVisible = (node: ElementContent): boolean =>
  node.type === 'text' ? /\S/.test(node.value) : !isElement(node, 'br')

function blockLines(node: Element): ElementContent[][] {
  if (node.tagName === 'pre')
    return textOf(node)
      .trimEnd()
      .split('\n')
      .map((value) => (/\S/.test(value) ? [element('code', [text(value)])] : []))
  if (node.tagName !== 'ul' && node.tagName !== 'ol') return linesOf(node.children)
  return elementsIn(node).flatMap((item, index) => {
    const [first = [], ...others] = linesOf(item.children)
    const marker = node.tagName === 'ol' ? `${index + 1}. ` : '- '
    return [[text(marker), ...first], ...others]
  })
}
