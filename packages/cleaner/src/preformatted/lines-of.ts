import type { Element } from 'hast'
import { stringProperty } from '../tree/properties.ts'

/** A line of preformatted text, with tabs as spaces. */
export interface Line {
  text: string
  indent: number
  /** Fragments in this line. */
  ids: string[]
  /** Everything in it is bold. */
  isBold: boolean
}

const tabWidth = 8
const boldTags = new Set(['b', 'strong', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

export function linesOf(pre: Element): Line[] {
  const lines: Line[] = [lineWith('')]
  walk(pre, false)
  for (const line of lines) line.indent = line.text.search(/\S|$/)
  return lines

  function walk(element: Element, isBold: boolean): void {
    for (const child of element.children) {
      if (child.type === 'text') write(child.value, isBold)
      else if (child.type !== 'element') continue
      else if (child.tagName === 'br') write('\n', isBold)
      else {
        const id = stringProperty(child, 'id') || stringProperty(child, 'name')
        if (id) lines.at(-1)?.ids.push(id)
        walk(child, isBold || boldTags.has(child.tagName))
      }
    }
  }

  function write(value: string, isBold: boolean): void {
    for (const [index, part] of value.split(/\r?\n/).entries()) {
      if (index > 0) lines.push(lineWith(''))
      const line = lines.at(-1) as Line
      if (!isBold && /\S/.test(part)) line.isBold = false
      for (const [at, piece] of part.split('\t').entries())
        line.text += (at > 0 ? ' '.repeat(tabWidth - (line.text.length % tabWidth)) : '') + piece
    }
  }
}

export const lineWith = (text: string, indent = 0): Line => ({
  text,
  indent,
  ids: [],
  isBold: true,
})

export const isBlank = (line: Line | undefined): boolean => !line || !/\S/.test(line.text)
