import type { Element, Root } from 'hast'
import { findBelow, hasBelow } from '../tree/below.ts'
import { elementsIn } from '../tree/children.ts'
import { classesOf, hasClass, stringProperty } from '../tree/properties.ts'
import { isBlank } from '../tree/short-text.ts'
import { isHeading, isTag } from '../tree/tags.ts'
import { collapse, lineOf } from '../tree/text-of.ts'
import { wordsOf } from '../tree/word-lists.ts'
import { rowsOf } from './read-table.ts'

const kinds = wordsOf(
  `attention caution danger deprecated error hint important info note seealso success tip
  versionadded versionchanged warning`,
)
/** Parts of class names that a box has, with a kind or alone. */
const boxes = wordsOf('admonition admonitionblock alert callout custom-block')
const boxesOfKind = new Set([
  ...boxes,
  ...wordsOf('aside block box hint message notecard notice notification'),
])
const boxRoles = wordsOf('alert doc-notice doc-tip note')
/** Last parts of the class names of a title, and of other elements in a box. */
const titleParts = wordsOf('heading label title')
const innerParts = new Set([...titleParts, ...wordsOf('body content description icon inner text')])

/** `markdown-alert-warning`, `theme__aside--warning`, `admonitionHeading_Gvgb`: CSS modules append a hash. */
const partsOf = (name: string): string[] =>
  name
    .replace(/_+[A-Za-z\d]{4,6}$/, (end) => (/\d|[a-z][A-Z]|^_[A-Z]/.test(end) ? '' : end))
    .replace(/([a-z])(?=[A-Z])/g, '$1-')
    .toLowerCase()
    .split(/[-_]+/)

const lastOf = (parts: readonly string[]): string => parts.at(-1) ?? ''

/** A class name without any of these is of no box. */
const mayBeBox =
  /admonition|alert|aside|attention|block|box|callout|caution|danger|deprecated|error|hint|important|info|message|note|notice|notif|seealso|success|tip|version|warning/i

/** The kind of an admonition, by its classes or its role. */
export function admonitionKind(element: Element): string | undefined {
  if (!isBox(element)) return undefined
  const classes = classesOf(element).filter((name) => mayBeBox.test(name))
  const role = stringProperty(element, 'role')
  const isNamed = role !== undefined && boxRoles.has(role)
  if (classes.length === 0) return isNamed ? 'note' : undefined
  const names = classes.map((name) => name.replace(/^awsdocs-/, ''))
  const bare = names.find((name) => kinds.has(name))
  if (isNamed || names.some((name) => boxes.has(name))) return bare ?? 'note'
  const kind = bare ?? kindOfBox(names.map(partsOf))
  if (!kind || kind !== bare) return kind
  // Without a box class, the bare word counts only together with a title.
  return titleOf(element, maxDepth) || kind.startsWith('version') || kind === 'deprecated'
    ? kind
    : undefined
}

const isBox = isTag('aside div section')

/** The kind in the parts of class names, if one of them has a box, too. */
function kindOfBox(names: readonly string[][]): string | undefined {
  const outer = names.filter((parts) => !innerParts.has(lastOf(parts)))
  const parts = outer.flat()
  const box = parts.find((part) => boxesOfKind.has(part))
  return box && parts.find((part) => part !== box && kinds.has(part))
}

export interface Admonition {
  /** Plain text without a colon; empty for a box without a title. */
  label: string
  content: Element['children']
}

export function readAdmonition(element: Element): Admonition {
  const title = titleOf(element)
  const image = title && findBelow(title, isTag('img'))
  const name = image ? stringProperty(image, 'alt') : stringProperty(element, 'ariaLabel')
  const label = (title && lineOf(title)) || collapse(name ?? '')
  return {
    label: label.replace(/:$/, ''),
    content: title ? contentWithout(title, element) : element.children,
  }
}

/** True for the title of a box, which may be hidden from readers, as it repeats the name of the box. */
export const isAdmonitionTitle = (element: Element, parent: Root | Element): boolean =>
  parent.type === 'element' && admonitionKind(parent) !== undefined && titleOf(parent) === element

/** Elements around a title. */
const maxDepth = 3

function titleOf(element: Element, depth = 0): Element | undefined {
  const first = elementsIn(element).find((child) => !isIcon(child))
  if (!first) return undefined
  if (first.tagName === 'table') return tableTitle(first)
  if (isHeading(first) || classesOf(first).some((name) => titleParts.has(lastOf(partsOf(name)))))
    return first
  const isWrapper =
    first.tagName === 'div' && depth < maxDepth && admonitionKind(first) === undefined
  return isWrapper ? titleOf(first, depth + 1) : undefined
}

const isPicture = isTag('img svg')
const isIcon = (element: Element): boolean =>
  isPicture(element) ||
  (classesOf(element).some((name) => partsOf(name).includes('icon')) && isBlank(element))

/**
 * DocBook writes an admonition as a table: an icon, the title in a `th`, the text in the row below.
 * Asciidoctor writes the title where others have an icon, the text in the cell next to it.
 */
const tableTitle = (table: Element): Element | undefined =>
  findBelow(table, isTag('th')) ??
  findBelow(table, (cell) => cell.tagName === 'td' && hasClass(cell, iconCell))
const iconCell = wordsOf('icon')

function contentWithout(title: Element, element: Element): Element['children'] {
  return element.children.flatMap((child) => {
    if (child === title) return []
    if (child.type !== 'element' || !hasBelow(child, (below) => below === title)) return [child]
    if (child.tagName !== 'table') return [{ ...child, children: contentWithout(title, child) }]
    const cells = rowsOf(child)
      .slice(title.tagName === 'th' ? 1 : 0)
      .flat()
    return cells.flatMap(({ element }) => (element === title ? [] : element.children))
  })
}
