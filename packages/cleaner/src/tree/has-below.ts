import type { Element } from 'hast'

/** True if any descendant passes the test; stops at the first one. */
export function hasBelow(element: Element, test: (element: Element) => boolean): boolean {
  const pending: Element[] = [element]
  for (let next = pending.pop(); next; next = pending.pop())
    for (const child of next.children)
      if (child.type === 'element') {
        if (test(child)) return true
        pending.push(child)
      }
  return false
}
