import type { Element } from 'hast'
import { collapse } from './text-of.ts'

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
