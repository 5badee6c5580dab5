import type { Element, ElementContent, Properties, Text } from 'hast'
import { Headings, untagged } from './heading-at.ts'
import type { Line } from './lines-of.ts'
import { gap, isProse } from './prose.ts'

declare module 'hast' {
  interface ElementData {
    /** A `pre` with the text of a manual, which is no code. */
    isText?: boolean
  }
}

const bullet = /^(?:[-*o•+]|\d{1,2}[.)]) +(?=\S)/
/** A term and its description: `-n <limit> : limits …`. */
const named = /^(\S.{0,40}?) +: +(?=\S)/
/** In characters. */
const maxTerm = 72

/** Content that an indent holds together: the text, or the description of a term. */
interface Frame {
  indent: number
  children: ElementContent[]
}

/** Headings, paragraphs, lists and verbatim parts of a text below a heading of this level. */
export function layOut(lines: readonly Line[], level: number): ElementContent[] {
  const headings = new Headings(lines)
  const layout = new Layout()
  for (let at = 0; at < lines.length; ) {
    const skips = isBlank(lines[at]) || headings.isRuler(at)
    const heading = skips ? undefined : headings.at(at)
    if (heading) {
      layout.heading(heading.title, Math.min(level + heading.depth, 6), heading.ids)
      at += heading.lines
      if (heading.lines > 0) continue
    } else if (skips) {
      layout.blank()
      at++
      continue
    }
    const end = endOfBlock(lines, at)
    const block = lines.slice(at, end)
    if (heading) block[0] = untagged(block[0] as Line)
    layout.block(block, isBlank(lines[at - 1]) && isBlank(lines[end]))
    at = end
  }
  layout.blank()
  return layout.finish()
}

const isBlank = (line: Line | undefined): boolean => line === undefined || line.text.trim() === ''

/** A block is a first line and the lines of one indent after it. */
function endOfBlock(lines: readonly Line[], start: number): number {
  const first = lines[start] as Line
  let end = start + 1
  const isBelow = (line: Line | undefined, indent: number) =>
    line !== undefined && !isBlank(line) && line.indent === indent && line.ids.length === 0
  const indent = lines[end]?.indent ?? 0
  if (indent < first.indent || (indent > first.indent && !hangs(first, indent))) return end
  const isItem = bullet.test(first.text.trim())
  while (isBelow(lines[end], indent)) {
    if (isItem && bullet.test((lines[end] as Line).text.trim())) break
    end++
  }
  return end
}

/** True if text of a deeper indent continues the line: a term or a bullet. */
function hangs({ text, indent }: Line, below: number): boolean {
  const line = text.trim()
  const column = text.slice(0, below)
  if (bullet.test(line)) return below - indent <= 5
  if (/ {2}$/.test(column) && text.length > below) return true
  return named.test(line) || (line.length <= maxTerm && !/(?<!\.)[.:,;\\]$/.test(line))
}

class Layout {
  readonly #root: Frame = { indent: -1, children: [] }
  #frames: Frame[] = [this.#root]
  #verbatim: Line[] = []
  #blanks = 0
  #list: Properties = {}

  heading(title: string, level: number, ids: readonly string[]): void {
    this.#flush()
    this.#frames = [this.#root]
    const anchors = ids.map((id) => element('a', [], { id }))
    // What has fragments is a section itself: its terms are text.
    this.#list = ids.length > 0 ? { className: ['simple'] } : {}
    this.#root.children.push(element(`h${level}`, [...anchors, textNode(title)]))
  }

  blank(): void {
    this.#blanks++
  }

  /** `isAlone`: blank lines are around it. */
  block(lines: readonly Line[], isAlone: boolean): void {
    const [first, second] = lines as [Line, Line?]
    const text = lines.map((line) => line.text).join('\n')
    const marker = bullet.exec(first.text.trim())?.[0]
    const column = second?.indent ?? (isAlone ? afterGap(first.text) : 0)
    const below = lines.map((line, index) => (index > 0 ? line.text : line.text.slice(column)))
    if (marker && !gap.test(text.trim().slice(marker.length))) this.#item(lines, marker)
    else if (column > first.indent && isProse(below.join('\n').trim())) this.#term(lines, column)
    else if (isProse(text) && (lines.length > 1 || isSentence.test(text.trim())))
      this.#add(first.indent, element('p', filled(lines)))
    else {
      // Blank lines inside of a verbatim part belong to it.
      if (this.#verbatim.length > 0) this.#verbatim.push(...Array(this.#blanks).fill(blankLine))
      this.#verbatim.push(...lines)
    }
    this.#blanks = 0
  }

  finish(): ElementContent[] {
    this.#flush()
    return this.#root.children
  }

  #item(lines: readonly Line[], marker: string): void {
    const item = element('li', filled(lines, marker))
    const tagName = /\d/.test(marker) ? 'ol' : 'ul'
    const { children } = this.#frameAt((lines[0] as Line).indent)
    const last = children.at(-1)
    if (last?.type === 'element' && last.tagName === tagName) last.children.push(item)
    else children.push(element(tagName, [item], tagName === 'ol' ? { start: parseInt(marker, 10) } : {}))
  }

  #term(lines: readonly Line[], column: number): void {
    const [first, ...body] = lines as [Line, ...Line[]]
    const { children } = this.#frameAt(first.indent)
    const text = first.text.trim()
    const atColumn = / {2}$/.test(first.text.slice(0, column)) ? column - first.indent : 0
    const end = named.exec(text)?.[0].length ?? atColumn
    const isBeside = end > 0 && end < text.length
    const name = textNode(text.slice(0, end).replace(/ : *$/, ''))
    const term = element('dt', isBeside ? [name] : first.nodes)
    const rest = isBeside ? [textNode(`${text.slice(end)}\n`), ...filled(body)] : filled(body)
    const description = element('dd', [element('p', rest)])
    const last = children.at(-1)
    if (last?.type === 'element' && last.tagName === 'dl') last.children.push(term, description)
    else children.push(element('dl', [term, description], this.#list))
    this.#frames.push({ indent: column, children: description.children })
  }

  #add(indent: number, node: Element): void {
    this.#frameAt(indent).children.push(node)
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
    const indent = Math.min(...lines.filter((line) => line !== blankLine).map((line) => line.indent))
    const pre = element('pre', [textNode(lines.map(({ text }) => text.slice(indent)).join('\n'))])
    pre.data = { isText: true }
    this.#add(indent, pre)
  }
}

const isSentence = /^[^\p{Ll}]|[.:!?]$/u
const blankLine: Line = { text: '', indent: 0, nodes: [], ids: [], isBold: false }

/** The column of the text after the first gap; 0 without one. */
function afterGap(text: string): number {
  const found = gap.exec(text)
  return found ? found.index + found[0].length : 0
}

/** The content of lines as running text, without a marker before it. */
function filled(lines: readonly Line[], marker = ''): ElementContent[] {
  const anchors = lines.flatMap(({ ids }) => ids.map((id) => element('a', [], { id })))
  const nodes = lines.flatMap((line) => [...line.nodes, textNode('\n')])
  const first = firstText(nodes)
  if (first) first.value = first.value.trimStart().slice(marker.length)
  return [...anchors, ...nodes]
}

function firstText(nodes: readonly ElementContent[]): Text | undefined {
  for (const node of nodes) {
    const found = node.type === 'element' ? firstText(node.children) : node
    if (found?.type === 'text' && /\S/.test(found.value)) return found
  }
  return undefined
}

const textNode = (value: string): Text => ({ type: 'text', value })

const element = (
  tagName: string,
  children: ElementContent[],
  properties: Properties = {},
): Element => ({ type: 'element', tagName, properties, children })
