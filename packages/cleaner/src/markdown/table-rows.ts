import type { Element } from 'hast'
import { isElement } from '../tree/properties.ts'

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
