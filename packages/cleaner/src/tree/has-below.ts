import type { Element, Root } from 'hast'

/** A descendant that passes the test; stops at the first one. */
export function findBelow(
  element: Root | Element,
  test: (element: Element) => boolean,
): Element | undefined {
  const pending: (Root | Element)[] = [element]
  for (let next = pending.pop(); next; next = pending.pop())
    for (const child of next.children)
      if (child.type === 'element') {
        if (test(child)) return child
        pending.push(child)
      }
  return undefined
}

export const hasBelow = (element: Root | Element, test: (element: Element) => boolean): boolean =>
  findBelow(element, test) !== undefined
