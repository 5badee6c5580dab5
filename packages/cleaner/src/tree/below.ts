import type { Element, Root } from 'hast'

/** The descendants of an element; what is done to one applies to those below it. */
export function* below(element: Root | Element): Generator<Element, void> {
  const pending: (Root | Element)[] = [element]
  for (let next = pending.pop(); next; next = pending.pop())
    for (const child of next.children)
      if (child.type === 'element') {
        yield child
        pending.push(child)
      }
}

/** A descendant that passes the test; stops at the first one. */
export function findBelow(
  element: Root | Element,
  test: (element: Element) => boolean,
): Element | undefined {
  // Not by the generator: this is asked of most elements.
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

/** The element itself, or a descendant that passes the test. */
export const findWithin = (
  element: Element,
  test: (element: Element) => boolean,
): Element | undefined => (test(element) ? element : findBelow(element, test))

export const hasWithin = (element: Element, test: (element: Element) => boolean): boolean =>
  findWithin(element, test) !== undefined

/** The elements around a descendant, the innermost first. */
export function ancestorsOf(root: Element, descendant: Element): ReadonlySet<Element> {
  const around = new Set<Element>()
  search(root)
  return around

  function search(node: Element): boolean {
    if (node === descendant) return true
    const holds = node.children.some((child) => child.type === 'element' && search(child))
    if (holds) around.add(node)
    return holds
  }
}
