import type { Element, Nodes } from 'hast'
import type { RuleTest } from '../rules/compile-rules.ts'
import { fragmentOf } from '../tree/properties.ts'

/** A line of preformatted text, with tabs as spaces. */
export interface Line {
  text: string
  indent: number
  /** Fragments in this line. */
  ids: string[]
  /** The fragments were written in the text, which no longer has them. */
  isTagged: boolean
}

const tabWidth = 8
/** Vim writes the fragments of its help as `*name*`. */
const tags = /(?:^|\s)\*\S+\*(?=\s|$)/g

export function linesOf(pre: Element, isNoise: RuleTest): Line[] {
  const lines: { text: string; ids: string[] }[] = [{ text: '', ids: [] }]
  walk(pre)
  return lines.map(({ text: raw, ids }) => {
    const spaced = raw.split('\t').reduce((line, piece) => untilTab(line) + piece)
    const text = ids.length > 0 ? spaced.replace(tags, '') : spaced
    return { text, ids, indent: text.search(/\S|$/), isTagged: text !== spaced }
  })

  function walk(node: Nodes): void {
    if (node.type === 'text')
      for (const [index, part] of node.value.split('\n').entries()) {
        if (index > 0) lines.push({ text: '', ids: [] })
        ;(lines.at(-1) as Line).text += part
      }
    if (node.type !== 'element' || isNoise(node)) return
    const id = fragmentOf(node)
    if (id) lines.at(-1)?.ids.push(id)
    if (node.tagName === 'br') lines.push({ text: '', ids: [] })
    for (const child of node.children) walk(child)
  }
}

const untilTab = (line: string): string =>
  line.padEnd((Math.floor(line.length / tabWidth) + 1) * tabWidth)

export const isBlank = (line: Line | undefined): boolean =>
  !line || (!line.isTagged && !/\S/.test(line.text))
