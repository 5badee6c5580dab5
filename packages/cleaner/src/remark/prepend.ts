import type { Element, ElementContent } from 'hast'
import { blockTags } from '../tree/tags.ts'

declare module 'hast' {
  interface ElementData {
    /** A paragraph that begins with a term. */
    isDefinition?: boolean
  }
}

/**
 * Insert nodes at the start of an element's first paragraph; returns the paragraph, or undefined if
 * the content begins with something else.
 */
export function prepend(lead: ElementContent[], holder: Element): Element | undefined {
  const nodes = holder.children
  const index = nodes.findIndex((node) => node.type !== 'text' || /\S/.test(node.value))
  const first = nodes[index]
  if (!first) return undefined
  if (first.type === 'element' && blockTags.has(first.tagName)) {
    const isOpen = first.tagName === 'p' || first.tagName === 'div'
    return isOpen && !first.data?.isDefinition ? prepend(lead, first) : undefined
  }
  nodes.splice(index, 0, ...lead)
  return holder
}
