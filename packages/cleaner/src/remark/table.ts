import type { Element, ElementContent } from 'hast'
import { type Cell, partsOf, readGrid, rowsOf } from '../read/read-table.ts'
import { hasBelow } from '../tree/below.ts'
import { childOf, elementsIn } from '../tree/children.ts'
import { element, isElement } from '../tree/element.ts'
import { blockTags, isBlock } from '../tree/tags.ts'
import { textOf } from '../tree/text-of.ts'
import { type Context, text } from './context.ts'
import { plainInline } from './inline.ts'

/** A data table becomes rows of equal cells; a layout table becomes its content. */
export function plainTable(table: Element, context: Context): ElementContent[] {
  const rows = rowsOf(table)
  const caption = childOf(table, 'caption')
  const title = caption ? [element('div', context.flow(caption.children, context))] : []
  const content = partsOf(table, rows).flatMap((part) =>
    Array.isArray(part)
      ? plainGrid(part, context)
      : [element('div', context.flow(part.element.children, context))],
  )
  return [...title, ...content]
}

function plainGrid(rows: readonly Cell[][], context: Context): ElementContent[] {
  const { header, body } = readGrid(rows, (cell) => cellContent(cell, context), [])
  if (header.length === 0) return []
  const lines = body.map((row) => plainRow('td', row))
  return [element('table', [element('thead', [plainRow('th', header)]), element('tbody', lines)])]
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
    const [first = [], ...rest] = linesOf(item.children)
    const marker = node.tagName === 'ol' ? `${index + 1}. ` : '- '
    return [[text(marker), ...first], ...rest]
  })
}
