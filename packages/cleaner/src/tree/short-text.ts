import type { Element, Nodes } from 'hast'
import { collapse } from './text-of.ts'

/** A letter or a digit: text other than signs, such as that of a permalink. */
export const isWord: RegExp = /[\p{L}\p{N}]/u

/** True for nothing but white space. */
export const isBlank = (node: Nodes): boolean =>
  node.type === 'text'
    ? !/\S/.test(node.value)
    : !('children' in node) || node.children.every(isBlank)

/** Number of characters that are not white space, counted without new strings. */
export function textLength(text: string): number {
  let length = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 32 && code !== 160) length++
  }
  return length
}

/** The collapsed text of an element, if it has at most `limit` characters; else undefined. */
export function shortText(element: Element, limit: number): string | undefined {
  let text = ''
  if (!collect(element)) return undefined
  const short = collapse(text)
  return short.length <= limit ? short : undefined

  function collect(node: Element): boolean {
    for (const child of node.children) {
      if (child.type === 'text') {
        // Source is indented.
        const value = child.value.length > limit ? ` ${child.value.trim()} ` : child.value
        if (value.length > limit * 2) return false
        text += value
      } else if (child.type === 'element' && !collect(child)) return false
      if (text.length > limit * 2) return false
    }
    return true
  }
}
