import type { Element, Nodes } from 'hast'
import { bracketReadings, isBox } from './boxes.ts'
import { codeTags, isBlock, isCode } from './tags.ts'

/** Text of a node and its descendants in document order, unchanged; `<br>` is a newline. */
export function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  if (!('children' in node)) return ''
  if (node.children.length === 1 && node.children[0]?.type === 'text') return node.children[0].value
  const parts: string[] = []
  const pending: Nodes[] = [node]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.type === 'text') parts.push(next.value)
    else if (next.type === 'element' && next.tagName === 'br') parts.push('\n')
    else if ('children' in next)
      for (let index = next.children.length - 1; index >= 0; index--)
        pending.push(next.children[index] as Nodes)
  }
  return parts.join('')
}

/** White space other than single spaces. */
const untidyBlanks = /[^\S ]\s*| \s+/g

/** Collapse white space, including no-break spaces, and trim. */
export function collapse(text: string): string {
  return text.replace(untidyBlanks, ' ').trim()
}

/** Edges of boxes, and starts and ends of codes in a line; no text contains these characters. */
const edges = /[\ufdd0-\ufdd2]/
/** Between words of different boxes or codes; a letter or three after a code may be its ending. */
const gluedEdges =
  /(?<=[\p{L}\p{N})\]}])[\ufdd1\ufdd2]*\ufdd0+[\ufdd1\ufdd2\ufdd0]*(?=[\p{L}\p{N}([{])|(?<=[\p{L}\p{N})])\ufdd2+\ufdd1+(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N})])\ufdd2+(?=\p{Script=Latin}{4})|(?<=\p{Script=Latin}{4})\ufdd1+(?=[\p{L}\p{N}])/gu

/** The text of an element on one line, with spaces between elements that are shown apart. */
export function lineOf(element: Element): string {
  let line = ''
  write(element)
  return collapse(
    edges.test(line) ? line.replace(gluedEdges, ' ').replace(/[\ufdd0-\ufdd2]/g, '') : line,
  )

  function write({ tagName, children }: Element): void {
    for (const child of children) {
      if (child.type === 'text') line += child.value
      else if (child.type === 'element') {
        if (child.tagName === 'ruby') bracketReadings(child)
        const [start, end] = edgesOf(child, tagName)
        line += start
        write(child)
        line += end
      }
    }
  }
}

/** An empty element that a style sheet shows, such as the sign between two names. */
const isGap = ({ tagName, children, properties }: Element): boolean =>
  children.length === 0 && tagName === 'span' && properties['className'] !== undefined

function edgesOf(element: Element, parent: string): readonly [start: string, end: string] {
  if (element.tagName === 'br' || isBlock(element)) return [' ', ' ']
  if (isBox(element) || isGap(element)) return ['\ufdd0', '\ufdd0']
  const isInner = isCode(element) && !codeTags.has(parent)
  return isInner ? ['\ufdd1', '\ufdd2'] : ['', '']
}
