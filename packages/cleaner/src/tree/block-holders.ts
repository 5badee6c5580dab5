import type { Element, Root } from 'hast'
import { blockTags } from './block-tags.ts'

/** Inline elements with a block-level descendant, which are not running text. */
export function findBlockHolders(root: Root): ReadonlySet<Element> {
  const holders = new Set<Element>()
  for (const child of root.children) if (child.type === 'element') search(child)
  return holders

  function search(element: Element): boolean {
    const isBlock = blockTags.has(element.tagName)
    if (element.tagName === 'pre') return true
    const { children } = element
    let holds = false
    for (let index = 0; index < children.length; index++) {
      const child = children[index] as Element
      if (child.type === 'element' && search(child)) holds = true
    }
    if (holds && (!isBlock || element.tagName === 'summary')) holders.add(element)
    return holds || isBlock
  }
}
