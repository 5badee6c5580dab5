import type { Element, ElementContent } from 'hast'
import { stringProperty } from '../tree/properties.ts'

/** A line of preformatted text, with tabs as spaces. */
export interface Line {
  text: string
  indent: number
  nodes: ElementContent[]
  /** Fragments in this line. */
  ids: string[]
  /** Everything in it is bold. */
  isBold: boolean
}

const tabWidth = 8
/** Elements inside more others than this lose their marks, so that a copy per line is cheap. */
const maxMarks = 4
const boldTags = new Set(['b', 'strong', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** The lines of an element; one that spans lines is copied to each of them. */
export function linesOf(pre: Element): Line[] {
  const lines: Line[] = []
  /** The open elements, and their copies in this line. */
  const open: Element[] = []
  let copies: Element[] = []
  /** Characters in this line that are not bold. */
  let plain = 0
  let line = begin()
  walk(pre)
  end()
  return lines

  function begin(): Line {
    copies = []
    plain = 0
    return { text: '', indent: 0, nodes: [], ids: [], isBold: false }
  }

  function end(): void {
    line.indent = line.text.search(/\S|$/)
    line.isBold = plain === 0 && line.indent < line.text.length
    lines.push(line)
    line = begin()
  }

  function walk(element: Element): void {
    for (const child of element.children) {
      if (child.type === 'text') write(child.value)
      else if (child.type !== 'element') continue
      else if (child.tagName === 'br') end()
      else enter(child)
    }
  }

  function enter(element: Element): void {
    const id = stringProperty(element, 'id') || stringProperty(element, 'name')
    if (id) line.ids.push(id)
    open.push(element)
    walk(element)
    open.pop()
    copies.length = Math.min(copies.length, open.length)
  }

  function write(value: string): void {
    for (const [index, part] of value.split(/\r?\n/).entries()) {
      if (index > 0) end()
      if (part === '') continue
      const text = expandTabs(part, line.text.length)
      line.text += text
      if (!open.some(({ tagName }) => boldTags.has(tagName))) plain += text.trim().length
      place(text)
    }
  }

  function place(value: string): void {
    const kept = Math.min(open.length, maxMarks)
    for (let depth = copies.length; depth < kept; depth++) {
      const { tagName, properties } = open[depth] as Element
      const { id: _, name: __, ...others } = properties
      const copy: Element = { type: 'element', tagName, properties: others, children: [] }
      const around = copies[depth - 1]?.children ?? line.nodes
      around.push(copy)
      copies.push(copy)
    }
    const into = copies[kept - 1]?.children ?? line.nodes
    into.push({ type: 'text', value })
  }
}

function expandTabs(text: string, column: number): string {
  let at = column
  return text.replace(/\t|[^\t]+/g, (part) => {
    const width = part === '\t' ? tabWidth - (at % tabWidth) : part.length
    at += width
    return part === '\t' ? ' '.repeat(width) : part
  })
}
