import type { Element } from 'hast'
import { findBelow } from '../tree/has-below.ts'
import { classesOf, isElement } from '../tree/properties.ts'
import { lineOf } from '../tree/text-of.ts'
import { rowsOf } from './read-table.ts'

const kinds = new Set(
  'attention caution danger deprecated error hint important info note seealso tip versionadded versionchanged warning'.split(
    ' ',
  ),
)
const boxes = new Set(['admonition', 'alert', 'callout', 'theme-admonition', 'custom-block'])
const titleClasses = new Set(
  'admonition-title alert-title awsdocs-note-title callout-title custom-block-title title'.split(
    ' ',
  ),
)

/** The kind of an admonition, by its classes. */
export function admonitionKind(element: Element): string | undefined {
  if (element.tagName !== 'div' && element.tagName !== 'aside' && element.tagName !== 'section')
    return undefined
  const classes = classesOf(element).map((name) => name.replace(/^awsdocs-/, ''))
  const kind = classes.find((name) => kinds.has(name))
  if (classes.some((name) => boxes.has(name))) return kind ?? 'note'
  // Without a box class, the bare word counts only together with a title.
  return kind && (titleOf(element) || kind.startsWith('version') || kind === 'deprecated')
    ? kind
    : undefined
}

export interface Admonition {
  /** Plain text without a colon; empty for a box without a title. */
  label: string
  content: Element['children']
}

export function readAdmonition(element: Element): Admonition {
  const title = titleOf(element)
  return {
    label: title ? lineOf(title).replace(/:$/, '') : '',
    content: title ? contentWithout(title, element) : element.children,
  }
}

function titleOf(element: Element): Element | undefined {
  const first = element.children.find((child) => child.type === 'element')
  if (!first) return undefined
  if (first.tagName === 'table') return tableTitle(first)
  if (/^h[1-6]$/.test(first.tagName)) return first
  return classesOf(first).some(isTitleClass) ? first : undefined
}

/** CSS modules append a hash to the name: `admonitionHeading_Gvgb`. */
const isTitleClass = (name: string): boolean =>
  titleClasses.has(name) || name.startsWith('admonitionHeading')

/**
 * DocBook writes an admonition as a table: an icon, the title in a `th`, the text in the row below.
 */
const tableTitle = (table: Element): Element | undefined =>
  findBelow(table, ({ tagName }) => tagName === 'th')

function contentWithout(title: Element, element: Element): Element['children'] {
  if (title.tagName !== 'th') return element.children.filter((child) => child !== title)
  return element.children.flatMap((child) =>
    isElement(child, 'table')
      ? rowsOf(child)
          .slice(1)
          .flat()
          .flatMap((cell) => cell.element.children)
      : [child],
  )
}
