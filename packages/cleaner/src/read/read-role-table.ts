import type { Element, ElementContent } from 'hast'
import { hasBelow } from '../tree/below.ts'
import { element, isElement } from '../tree/element.ts'
import { isBlank } from '../tree/short-text.ts'
import { byWord } from '../tree/word-lists.ts'

type Part = 'table' | 'row' | 'td' | 'th'

/** By role and by `display`, for tables without the tags of one. */
const parts = byWord<Part>([
  ['table grid treegrid inline-table', 'table'],
  ['row table-row', 'row'],
  ['cell gridcell table-cell', 'td'],
  ['columnheader rowheader', 'th'],
])

function partOf({ properties }: Element): Part | undefined {
  const { role, style } = properties
  const part = typeof role === 'string' ? parts.get(role) : undefined
  if (part || typeof style !== 'string' || !style.includes('table')) return part
  return parts.get(/display:\s*([\w-]+)/i.exec(style)?.[1] ?? '')
}

const isRow = (box: Element): boolean => partOf(box) === 'row'
const isCell = (box: Element): boolean => /^t[dh]$/.test(partOf(box) ?? '')

/** Between a table and its rows, or a row and its cells. */
const maxWrappers = 3

/** A table by roles or styles in the form of tags; undefined for any other element. */
export function tableOf(box: Element): Element | undefined {
  if (box.tagName === 'table' || partOf(box) !== 'table') return undefined
  const { matches, rest } = search(box, isRow)
  const rows = matches.map((row) => element('tr', cellsOf(row)))
  if (!rows.some(({ children }) => children.length > 1)) return undefined
  return element('table', [...(rest.length > 0 ? [element('caption', rest)] : []), ...rows])
}

function cellsOf(row: Element): Element[] {
  const { matches, rest } = search(row, isCell)
  const cells = matches.map((cell) => {
    const { ariaColSpan: colSpan, ariaRowSpan: rowSpan } = cell.properties
    return element(partOf(cell) ?? 'td', cell.children, { colSpan, rowSpan })
  })
  return rest.length > 0 ? [...cells, element('td', rest)] : cells
}

/** The parts of an element, and its other content, which has text. */
function search(box: Element, isSought: (box: Element) => boolean) {
  const matches: Element[] = []
  const rest: ElementContent[] = []
  collect(box.children, 0)
  return { matches, rest }

  function collect(nodes: readonly ElementContent[], depth: number): void {
    for (const node of nodes) {
      if (isElement(node) && isSought(node)) matches.push(node)
      else if (isElement(node) && depth < maxWrappers && hasBelow(node, isSought))
        collect(node.children, depth + 1)
      else if (!isBlank(node)) rest.push(node)
    }
  }
}
