import type { Element, ElementContent, Root } from 'hast'
import { hasBelow } from '../tree/below.ts'
import { elementsIn } from '../tree/children.ts'
import { element, isElement, textNode } from '../tree/element.ts'
import { annotate, fragmentOf, fragmentsIn } from '../tree/properties.ts'
import { isBlank, shortText } from '../tree/short-text.ts'
import { isBlock, isCode, isTag } from '../tree/tags.ts'
import { lineOf } from '../tree/text-of.ts'
import { levelBelow, nextElement } from './reference-entries.ts'

const minStarts = 5
const maxTitle = 100
const maxCell = 200
/** Blocks that may begin the text of an option. */
const mayStart = isTag('b dl p strong table')
const isBold = isTag('b strong')
const isWrapper = isTag('a font span')
const isTable = isTag('table')
const isList = isTag('dl')
/** «Table 6. Keys» is the caption of what follows. */
const numbered = /^\p{L}+\s?\d+(?:[.-]\d+)*[.:]?\s/u
/** `Use: main`, `Default: 20`. */
const labelledValue = /^\p{L}[\p{L} ]{0,30}:/u
const defaultValue = /^defaults?(?: value)?:?\s+(.+)/i

interface Title {
  title: string
  marks: readonly string[]
  /** Of a term, what is in it. */
  children?: ElementContent[]
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
    if (!mayStart(block)) return false
    // The paragraph is the line; one that is no start has none in it.
    if (isBold(block) && isElement(parent, 'p')) return false
    if (!isTable(block) && !isList(block) && !mayBeBold(block)) return false
    const titleOf = isTable(block) ? titleOfRow : isList(block) ? titleOfTerm : titleOfLine
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

function writeHeading({ parent, at, above, title, marks, isWhole, children }: Start) {
  const heading = element(`h${levelBelow(above)}`, children ?? [textNode(title)])
  const block = parent.children[at] as Element
  parent.children[at] = isWhole ? heading : element('div', [heading, block])
  return { heading, marks }
}

/**
 * A list, at least five items long, of which every item begins with a name in bold that has a fragment:
 * its items become terms and what is below them.
 */
export function defineItems(list: Element): void {
  const items = elementsIn(list)
  if (items.length < minStarts) return
  const entries: Element[] = []
  for (const item of items) {
    const end = item.children.findIndex((child) => isElement(child) && isBlock(child))
    const [first] = elementsIn(item)
    const isParagraph = first?.tagName === 'p' && item.children.slice(0, end).every(isBlank)
    const line = isParagraph ? first : element('p', item.children.slice(0, Math.max(end, 0)))
    const start = titleOfLine(line, [fragmentOf(item) ?? []].flat())
    const [id] = start?.marks ?? []
    if (!start?.isWhole || id === undefined) return
    const below = item.children.slice(isParagraph ? end + 1 : end)
    const term = element('dt', [textNode(start.title)])
    term.properties['id'] = id
    entries.push(term, element('dd', below))
  }
  Object.assign(list, { tagName: 'dl', children: entries })
}

/** A list of one term without a description: what follows the list describes it. */
function titleOfTerm(
  list: Element,
  _pending: readonly string[],
  next?: Element,
): Title | undefined {
  const [term, ...others] = elementsIn(list)
  const mark = term && fragmentOf(term)
  if (term?.tagName !== 'dt' || mark === undefined || !next || isList(next)) return undefined
  const title = shortText(term, maxTitle)
  const isEmpty = others.every((other) => other.tagName === 'dd' && shortText(other, 0) === '')
  return title && isEmpty
    ? { title, marks: [mark], isWhole: true, children: term.children }
    : undefined
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
  const [part, ...rest] = elementsIn(table)
  if (!part || rest.length > 0) return []
  if (part.tagName === 'tbody') return onlyRow(part)
  return part.tagName === 'tr' ? elementsIn(part) : []
}

/** True unless a block begins with other text; most paragraphs do. */
function mayBeBold(block: Element): boolean {
  if (isBold(block)) return true
  const first = block.children.find((child) => isElement(child) || !isBlank(child))
  return isElement(first) && (isBold(first) || isWrapper(first))
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
  let start = isBold(block) ? block : undefined
  let rest: ElementContent[] = []
  while (!start) {
    const at = node.children.findIndex((child) => {
      if (isElement(child)) marks.push(...[fragmentOf(child)].filter((id) => id !== undefined))
      return isElement(child) ? shortText(child, maxTitle) !== '' : !isBlank(child)
    })
    const first = node.children[at]
    if (!isElement(first)) return undefined
    rest = [...node.children.slice(at + 1), ...rest]
    if (isBold(first)) start = first
    else if (isWrapper(first)) node = first
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

function firstLine(children: readonly ElementContent[]): Element {
  const end = children.findIndex((child) => isElement(child, 'br'))
  return element('span', children.slice(0, end < 0 ? undefined : end))
}

const minPlaces = 3
const maxLabel = 30
/** Up to three words; names in code have other signs. */
const words = /^\p{L}+(?: \p{L}+){0,2}:?$/u

interface Label {
  places: number
  last: unknown
  elements: Element[]
}

/** Terms and small headings without a fragment that repeat in at least three places of the page. */
export class RepeatedLabels {
  readonly #labels = new Map<string, Label>()

  /** `place`: the list of a term, or the heading above a heading. */
  note(candidate: Element, place: unknown): void {
    if (candidate.properties['id'] !== undefined) return
    const text = shortText(candidate, maxLabel)
    if (text === undefined || !words.test(text) || hasBelow(candidate, isCode)) return
    if (candidate.tagName !== 'dt' && !text.endsWith(':')) return
    const label = this.#labels.get(text) ?? { places: 0, last: undefined, elements: [] }
    if (label.places === 0 || label.last !== place) label.places++
    label.last = place
    label.elements.push(candidate)
    this.#labels.set(text, label)
  }

  /** Mark the terms, and write the headings as bold text. */
  apply(): void {
    const repeated = [...this.#labels.values()].filter(({ places }) => places >= minPlaces)
    for (const label of repeated.flatMap(({ elements }) => elements))
      if (label.tagName === 'dt') annotate(label, { isLabel: true })
      else Object.assign(label, { tagName: 'p', children: [element('strong', label.children)] })
  }
}
