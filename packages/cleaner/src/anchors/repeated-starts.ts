import type { Element, ElementContent, Root } from 'hast'
import { element, isElement, textNode } from '../tree/element.ts'
import { hasBelow } from '../tree/has-below.ts'
import { fragmentOf } from '../tree/properties.ts'
import { shortText } from '../tree/short-text.ts'
import { lineOf } from '../tree/text-of.ts'
import { levelBelow, nextElement } from './reference-entries.ts'

const minStarts = 5
const maxTitle = 100
const maxCell = 200
/** Blocks that may begin the text of an option. */
const starting = new Set(['b', 'p', 'strong', 'table'])
const bold = new Set(['b', 'strong'])
const wrappers = new Set(['a', 'font', 'span'])
/** «Table 6. Keys» is the caption of what follows. */
const numbered = /^\p{L}+\s?\d+(?:[.-]\d+)*[.:]?\s/u
/** `Use: main`, `Default: 20`. */
const labelledValue = /^\p{L}[\p{L} ]{0,30}:/u
const defaultValue = /^defaults?(?: value)?:?\s+(.+)/i

interface Title {
  title: string
  marks: readonly string[]
  /** The block is nothing but its title. */
  isWhole: boolean
}

interface Start extends Title {
  parent: Root | Element
  at: number
  /** The heading that the sections of the group are below. */
  above: Element | undefined
}

/**
 * Rows and lines in bold that begin the text of an option, without being headings. They become
 * sections if at least five of one kind are at one depth of the page.
 */
export class RepeatedStarts {
  readonly #groups = new Map<string, Start[]>()

  /** `pending`: fragments before the block; `headings`: those open at it, by level. */
  note(
    parent: Root | Element,
    at: number,
    pending: readonly string[],
    depth: number,
    headings: readonly Element[],
  ): boolean {
    const block = parent.children[at] as Element
    if (!starting.has(block.tagName)) return false
    // The paragraph is the line; one that is no start has none in it.
    if (bold.has(block.tagName) && 'tagName' in parent && parent.tagName === 'p') return false
    if (block.tagName !== 'table' && !mayBeBold(block)) return false
    const titleOf = block.tagName === 'table' ? titleOfRow : titleOfLine
    const start = titleOf(block, pending, nextElement(parent, at))
    if (!start) return false
    const key = `${block.tagName} ${depth}`
    const group = this.#groups.get(key) ?? []
    const before = group.at(-1)?.above
    // A heading in the text of an option does not enclose the next one.
    const above = before && headings.includes(before) ? before : headings.at(-1)
    group.push({ ...start, parent, at, above })
    this.#groups.set(key, group)
    return true
  }

  /** Write the headings; those with the fragments before them. */
  apply(): { heading: Element; marks: readonly string[] }[] {
    return [...this.#groups.values()].flatMap((group) => {
      const titles = new Map<string, number>()
      for (const { title } of group) titles.set(title, (titles.get(title) ?? 0) + 1)
      const names = group.filter(({ title }) => titles.get(title) === 1)
      return names.length < minStarts ? [] : names.map(writeHeading)
    })
  }
}

function writeHeading({ parent, at, above, title, marks, isWhole }: Start) {
  const heading = element(`h${levelBelow(above)}`, [textNode(title)])
  const block = parent.children[at] as Element
  parent.children[at] = isWhole ? heading : element('div', [heading, block])
  return { heading, marks }
}

/** A table of one row: the name, and the default value if a cell says so. */
function titleOfRow(table: Element, pending: readonly string[], next?: Element): Title | undefined {
  const cells = onlyRow(table)
  const [name, ...values] = cells.map((cell) => shortText(cell, maxCell))
  if (!name || name.length > maxTitle || values.includes(undefined)) return undefined
  const marks = [...pending, ...fragmentsIn(cells[0] as Element)]
  const isRow = values.some((value) => labelledValue.test(value as string))
  if (marks.length === 0 && !(isRow && next && next.tagName !== 'table')) return undefined
  const value = values.map((text) => defaultValue.exec(text as string)?.[1]).find(Boolean)
  return { title: value ? `${name} (default: ${value})` : name, marks, isWhole: false }
}

/** The cells of a table of one row, else none. */
function onlyRow(table: Element): Element[] {
  let rows = table.children.filter((child) => isElement(child))
  if (rows.length === 1 && rows[0]?.tagName === 'tbody')
    rows = rows[0].children.filter((child) => isElement(child))
  return rows.length === 1 && rows[0]?.tagName === 'tr'
    ? rows[0].children.filter((cell) => isElement(cell))
    : []
}

/** True unless a block begins with other text; most paragraphs do. */
function mayBeBold({ tagName, children }: Element): boolean {
  if (bold.has(tagName)) return true
  for (const child of children) {
    if (child.type === 'text' && /\S/.test(child.value)) return false
    if (isElement(child)) return bold.has(child.tagName) || wrappers.has(child.tagName)
  }
  return false
}

/** A block with a fragment that begins in bold, up to the end of its line. */
function titleOfLine(
  block: Element,
  pending: readonly string[],
  next?: Element,
): Title | undefined {
  if (next && (isTable(next) || hasBelow(next, isTable))) return undefined
  const marks = [...pending]
  let node = block
  let start = bold.has(block.tagName) ? block : undefined
  let rest: ElementContent[] = []
  while (!start) {
    const at = node.children.findIndex((child) => {
      if (isElement(child)) marks.push(...[fragmentOf(child)].filter((id) => id !== undefined))
      return /\S/.test(isElement(child) ? (shortText(child, maxTitle) ?? '…') : textIn(child))
    })
    const first = node.children[at]
    if (!isElement(first)) return undefined
    rest = [...node.children.slice(at + 1), ...rest]
    if (bold.has(first.tagName)) start = first
    else if (wrappers.has(first.tagName)) node = first
    else return undefined
  }
  marks.push(...fragmentsIn(start))
  const name = lineOf(firstLine(start.children)).replace(/[\s:;,=]+$/, '')
  if (marks.length === 0 || name === '' || name.length > maxTitle || numbered.test(name))
    return undefined
  const line = lineOf(firstLine(rest))
  const value = /^\([^()]{1,80}\)/.exec(line)?.[0]
  const isWhole = rest.every((child) => !isElement(child, 'br')) && line === (value ?? '')
  return { title: value ? `${name} ${value}` : name, marks, isWhole }
}

const isTable = ({ tagName }: Element): boolean => tagName === 'table'

const textIn = (node: ElementContent): string => (node.type === 'text' ? node.value : '')

function firstLine(children: readonly ElementContent[]): Element {
  const end = children.findIndex((child) => isElement(child, 'br'))
  return element('span', children.slice(0, end < 0 ? undefined : end))
}

function fragmentsIn(element: Element): string[] {
  const marks: string[] = []
  hasBelow(element, (child) => {
    const mark = fragmentOf(child)
    if (mark) marks.push(mark)
    return false
  })
  return marks
}
