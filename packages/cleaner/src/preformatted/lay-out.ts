import type { Element, ElementContent, Properties } from 'hast'
import { element, isElement, textNode } from '../tree/element.ts'
import { annotate } from '../tree/properties.ts'
import { headingAt, isRuler } from './heading-at.ts'
import { isBlank, type Line } from './lines-of.ts'
import { gap, isProse } from './prose.ts'

declare module 'hast' {
  interface ElementData {
    /** A `pre` with the text of a manual, which is no code. */
    isText?: boolean
  }
}

const bullet = /^(?:[-*•+]|o(?= {2})|\d{1,2}[.)]) +(?=\S)/
const isSentence = /^[^\p{Ll}]|[.:!?]$| - /u
/** Of terms in descriptions; deeper ones are on this level. */
const maxDepth = 8
/** In characters. */
const maxTerm = 72
/** From a bullet to the text below its text. */
const maxMarker = 8

/** Headings, paragraphs, lists and verbatim parts of a text below a heading of this level. */
export function layOut(lines: readonly Line[], level: number): ElementContent[] {
  const layout = new Layout()
  let depth = 0
  let isRuled = false
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as Line
    const heading = headingAt(lines, at, isRuled)
    if (heading) {
      layout.heading(heading.title, Math.min(level + (heading.depth ?? depth + 1), 6), line)
      depth = heading.depth ?? depth
    }
    if (heading?.lines || isBlank(line) || isRuler(line)) {
      if (!heading) layout.blank()
      isRuled = !heading && (isRuled || isRuler(line))
      at += heading?.lines || 1
    } else {
      const end = endOfBlock(lines, at)
      layout.block([heading ? { ...line, ids: [] } : line, ...lines.slice(at + 1, end)])
      isRuled = false
      at = end
    }
  }
  return layout.finish()
}

/** A block is a first line and the lines of one indent after it. */
function endOfBlock(lines: readonly Line[], start: number): number {
  const first = lines[start] as Line
  const indent = lines[start + 1]?.indent ?? 0
  if (indent < first.indent || (indent > first.indent && !hangs(first, indent))) return start + 1
  const isEnd = (line: Line) =>
    isBlank(line) || line.indent !== indent || line.ids.length > 0 || bullet.test(line.text.trim())
  let end = start + 1
  while (end < lines.length && !isEnd(lines[end] as Line)) end++
  return end
}

/** True if text of a deeper indent continues the line: a term or a bullet. */
function hangs({ text, indent }: Line, below: number): boolean {
  const line = text.trim()
  if (bullet.test(line)) return below - indent <= maxMarker
  return isBeside(text, below) || (line.length <= maxTerm && !/(?<!\.)[.:,;\\]$/.test(line))
}

/** True if a description begins at this column, after a term. */
const isBeside = (text: string, column: number): boolean =>
  text.length > column && text.slice(0, column).endsWith('  ')

/** Content that an indent holds together: the text, or the description of a term. */
interface Frame {
  indent: number
  children: ElementContent[]
}

const blankLine: Line = { text: '', indent: Infinity, ids: [], isTagged: false }

class Layout {
  readonly #root: Frame = { indent: -1, children: [] }
  #frames: Frame[] = [this.#root]
  #verbatim: Line[] = []
  #list: Properties = {}

  heading(title: string, level: number, { ids, isTagged }: Line): void {
    this.#flush()
    this.#frames = [this.#root]
    // What has fragments is a section itself: its terms are text.
    this.#list = isTagged ? { className: ['simple'] } : {}
    this.#root.children.push(element(`h${level}`, [...anchors(ids), textNode(title)]))
  }

  /** Blank lines inside of a verbatim part belong to it. */
  blank(): void {
    if (this.#verbatim.length > 0) this.#verbatim.push(blankLine)
  }

  block(lines: readonly Line[]): void {
    const [first, second] = lines as [Line, Line?]
    const text = lines.map((line) => line.text).join('\n')
    const marker = bullet.exec(text.trim())?.[0] ?? ''
    const column = second?.indent ?? afterGap(first.text)
    if (marker && !gap.test(text.trim().slice(marker.length))) this.#item(lines, marker)
    else if (column > first.indent && isProse(text.slice(column))) this.#term(lines, column)
    else if (isProse(text) && (second || isSentence.test(text.trim())))
      this.#frameAt(first.indent).children.push(filled('p', lines))
    else for (const line of lines) this.#verbatim.push(line)
  }

  finish(): ElementContent[] {
    this.#flush()
    return this.#root.children
  }

  #item(lines: readonly Line[], marker: string): void {
    const { indent } = lines[0] as Line
    const start = parseInt(marker, 10)
    const item = filled('li', lines, indent + marker.length)
    this.#append(indent, start >= 0 ? element('ol', [item], { start }) : element('ul', [item]))
  }

  #term(lines: readonly Line[], column: number): void {
    const [{ text, indent, ids }] = lines as [Line]
    const end = isBeside(text, column) ? column : text.length
    const term = element('dt', [...anchors(ids), textNode(text.slice(0, end))])
    const description = element('dd', [filled('p', lines, end)])
    this.#append(indent, element('dl', [term, description], this.#list))
    if (this.#frames.length < maxDepth)
      this.#frames.push({ indent: column, children: description.children })
  }

  /** Append to the list before, if it is of the same kind. */
  #append(indent: number, list: Element): void {
    const { children } = this.#frameAt(indent)
    const last = children.at(-1)
    if (isElement(last, list.tagName)) last.children.push(...list.children)
    else children.push(list)
  }

  /** The innermost content to which text of this indent belongs. */
  #frameAt(indent: number): Frame {
    this.#flush()
    while ((this.#frames.at(-1)?.indent ?? -1) > indent) this.#frames.pop()
    return this.#frames.at(-1) ?? this.#root
  }

  #flush(): void {
    const lines = this.#verbatim
    if (lines.length === 0) return
    this.#verbatim = []
    const indent = lines.reduce((least, line) => Math.min(least, line.indent), Infinity)
    const pre = element('pre', [textNode(lines.map(({ text }) => text.slice(indent)).join('\n'))])
    annotate(pre, { isText: true })
    const ids = lines.flatMap((line) => line.ids)
    this.#frameAt(indent).children.push(element('div', [...anchors(ids), pre]))
  }
}

/** Lines as running text, from a column of the first on. */
function filled(tagName: string, lines: readonly Line[], start = 0): Element {
  const texts = lines.map((line, index) => line.text.slice(index > 0 ? 0 : start).trim())
  const text = texts.join('\n').trim()
  return element(tagName, [textNode(text.replace(/(\p{Ll}-)\n(?=\p{Ll})/gu, '$1'))])
}

/** The column of the text after the first gap; 0 without one. */
function afterGap(text: string): number {
  const match = gap.exec(text)
  return match ? match.index + match[0].length : 0
}

const anchors = (ids: readonly string[]): Element[] => ids.map((id) => element('a', [], { id }))
