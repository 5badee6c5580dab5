import type { Element, ElementContent, Properties } from 'hast'
import { Headings, untagged } from './headings.ts'
import { isBlank, type Line, lineWith } from './lines-of.ts'
import { gap, isProse } from './prose.ts'

declare module 'hast' {
  interface ElementData {
    /** A `pre` with the text of a manual, which is no code. */
    isText?: boolean
  }
}

const bullet = /^(?:[-*•+]|o(?= {2})|\d{1,2}[.)]) +(?=\S)/
/** A term and its description: `-n <limit> : limits …`. */
const named = /^\S.{0,40}? +: +(?=\S)/
const isSentence = /^[^\p{Ll}]|[.:!?]$| - /u
/** Of terms in descriptions; deeper ones are on this level. */
const maxDepth = 8
/** In characters. */
const maxTerm = 72

/** Headings, paragraphs, lists and verbatim parts of a text below a heading of this level. */
export function layOut(lines: readonly Line[], level: number): ElementContent[] {
  const headings = new Headings(lines)
  const layout = new Layout(isJustified(lines))
  for (let at = 0; at < lines.length; ) {
    const skips = isBlank(lines[at]) || headings.isRuler(at)
    const heading = skips ? undefined : headings.at(at)
    if (heading) layout.heading(heading.title, Math.min(level + heading.depth, 6), heading.ids)
    if (skips) layout.blank()
    if (skips || heading?.lines) {
      at += heading?.lines ?? 1
      continue
    }
    const end = endOfBlock(lines, at)
    const block = lines.slice(at, end)
    if (heading) block[0] = untagged(block[0] as Line)
    layout.block(block, isBlank(lines[at - 1]) && isBlank(lines[end]))
    at = end
  }
  return layout.finish()
}

/** A block is a first line and the lines of one indent after it. */
function endOfBlock(lines: readonly Line[], start: number): number {
  const first = lines[start] as Line
  const indent = lines[start + 1]?.indent ?? 0
  if (indent < first.indent || (indent > first.indent && !hangs(first, indent))) return start + 1
  const isItem = bullet.test(first.text.trim())
  let end = start + 1
  for (; !isBlank(lines[end]); end++) {
    const line = lines[end] as Line
    if (line.indent !== indent || line.ids.length > 0) break
    const marker = bullet.exec(line.text.trim())?.[0]
    if (marker && (isItem || !/\d/.test(marker))) break
  }
  return end
}

/** True if text of a deeper indent continues the line: a term or a bullet. */
function hangs({ text, indent }: Line, below: number): boolean {
  const line = text.trim()
  if (bullet.test(line)) return below - indent <= 5
  if ((/ {2}$/.test(text.slice(0, below)) && text.length > below) || named.test(line)) return true
  return line.length <= maxTerm && !/(?<!\.)[.:,;\\]$/.test(line)
}

/** Content that an indent holds together: the text, or the description of a term. */
interface Frame {
  indent: number
  children: ElementContent[]
}

class Layout {
  readonly #root: Frame = { indent: -1, children: [] }
  #frames: Frame[] = [this.#root]
  #verbatim: Line[] = []
  #blanks = 0
  #list: Properties = {}
  /** Replaces the hyphen at the end of a line. */
  readonly #hyphen: string

  constructor(isHyphenated: boolean) {
    this.#hyphen = isHyphenated ? '' : '-'
  }

  heading(title: string, level: number, ids: readonly string[]): void {
    this.#flush()
    this.#frames = [this.#root]
    // What has fragments is a section itself: its terms are text.
    this.#list = ids.length > 0 ? { className: ['simple'] } : {}
    this.#root.children.push(element(`h${level}`, [...anchors(ids), textNode(title)]))
  }

  blank(): void {
    this.#blanks++
  }

  /** `isAlone`: blank lines are around it. */
  block(lines: readonly Line[], isAlone: boolean): void {
    const [first, second] = lines as [Line, Line?]
    const text = lines.map((line) => line.text).join('\n')
    const column = second?.indent ?? (isAlone ? afterGap(first.text) : 0)
    const marker = bullet.exec(text.trim())?.[0] ?? ''
    if (marker && !gap.test(text.trim().slice(marker.length))) this.#item(lines, marker)
    else if (column > first.indent && isProse(text.slice(column))) this.#term(lines, column)
    else if (isProse(text) && (second || isSentence.test(text.trim())))
      this.#frameAt(first.indent).children.push(element('p', this.#fill(lines)))
    else {
      // Blank lines inside of a verbatim part belong to it.
      if (this.#verbatim.length > 0)
        for (; this.#blanks > 0; this.#blanks--) this.#verbatim.push(lineWith('', Infinity))
      for (const line of lines) this.#verbatim.push(line)
    }
    this.#blanks = 0
  }

  finish(): ElementContent[] {
    this.#flush()
    return this.#root.children
  }

  #item(lines: readonly Line[], marker: string): void {
    const { indent } = lines[0] as Line
    const list = /\d/.test(marker)
      ? element('ol', [], { start: parseInt(marker, 10) })
      : element('ul')
    this.#append(indent, list, element('li', this.#fill(lines, indent + marker.length)))
  }

  #term(lines: readonly Line[], column: number): void {
    const [{ text, indent, ids }] = lines as [Line]
    const isBeside = / {2}$/.test(text.slice(0, column)) && text.length > column
    const name = named.exec(text.trim())?.[0].length
    const end = name ? indent + name : isBeside ? column : text.length
    const title = textNode(text.slice(0, end).replace(/ : *$/, ''))
    const children = [element('p', this.#fill(lines, end))]
    const description = element('dd', children)
    this.#append(
      indent,
      element('dl', [], this.#list),
      element('dt', [...anchors(ids), title]),
      description,
    )
    if (this.#frames.length < maxDepth)
      this.#frames.push({ indent: column, children: description.children })
  }

  /** Append to the list before, if it is of the same kind. */
  #append(indent: number, list: Element, ...items: Element[]): void {
    const { children } = this.#frameAt(indent)
    const last = children.at(-1)
    if (last?.type === 'element' && last.tagName === list.tagName) last.children.push(...items)
    else children.push({ ...list, children: items })
  }

  /** Lines as running text, from a column of the first on; between backticks is code. */
  #fill(lines: readonly Line[], start = 0): ElementContent[] {
    const text = lines.map((line, index) => line.text.slice(index > 0 ? 0 : start).trim())
    return text
      .join('\n')
      .trim()
      .replace(/(?<=\p{Ll})-\n(?=\p{Ll})/gu, this.#hyphen)
      .split(/(`[^`\n]+`)/)
      .map((part, at) => (at % 2 ? element('code', [textNode(part.slice(1, -1))]) : textNode(part)))
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
    const ids = lines.flatMap((line) => line.ids)
    const pre = element('pre', [textNode(lines.map(({ text }) => text.slice(indent)).join('\n'))])
    pre.data = { isText: true }
    this.#frameAt(indent).children.push(element('div', [...anchors(ids), pre]))
  }
}

/** The column of the text after the first gap; 0 without one. */
function afterGap(text: string): number {
  const found = gap.exec(text)
  return found ? found.index + found[0].length : 0
}

/** True for text with spaces between words to align its right edge; such text is hyphenated. */
const isJustified = (lines: readonly Line[]): boolean =>
  lines.filter(({ text }) => /[\p{Ll},] {2}\p{Ll}/u.test(text)).length > lines.length / 10

const anchors = (ids: readonly string[]): Element[] => ids.map((id) => element('a', [], { id }))

const textNode = (value: string): ElementContent => ({ type: 'text', value })

const element = (
  tagName: string,
  children: ElementContent[] = [],
  properties: Properties = {},
): Element => ({ type: 'element', tagName, properties, children })
