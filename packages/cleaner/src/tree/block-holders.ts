import type { Element, Root } from 'hast'
import { isBlock } from './tags.ts'

/** Inline elements with a block-level descendant, which are not running text. */
export function findBlockHolders(root: Root): ReadonlySet<Element> {
  const holders = new Set<Element>()
  for (const child of root.children) if (child.type === 'element') search(child)
  return holders

  function search(element: Element): boolean {
    if (element.tagName === 'pre') return true
    let holds = false
    for (const child of element.children)
      if (child.type === 'element' && search(child)) holds = true
    if (holds && (!isBlock(element) || element.tagName === 'summary')) holders.add(element)
    return holds || isBlock(element)
  }
}
