import type { Element, Root } from 'hast'
import { isElement, stringProperty } from '../tree/properties.ts'

const lists = new Set(['ol', 'p', 'table', 'ul'])
const minLinks = 4

/** The targets of a list that only consists of links to sections of its page. */
export function ownTargets(list: Element): string[] | undefined {
  const targets: string[] = []
  return lists.has(list.tagName) && hasOnlyLinks(list) && targets.length >= minLinks
    ? targets
    : undefined

  /** Stops at the first other text, so that most lists cost nothing. */
  function hasOnlyLinks({ children }: Element): boolean {
    for (const child of children) {
      if (child.type === 'text' && /[\p{L}\p{N}]/u.test(child.value)) return false
      if (!isElement(child)) continue
      const target = /^#(.+)/.exec(stringProperty(child, 'href') ?? '')?.[1]
      if (target) targets.push(target)
      else if (child.tagName === 'pre' || !hasOnlyLinks(child)) return false
    }
    return true
  }
}

/**
 * The lists that name the next heading or term after them. Other links to the page are content, as
 * are those in the description of a term.
 */
export function leading(
  root: Root,
  lists: ReadonlyMap<Element, readonly string[]>,
): ReadonlySet<Element> {
  const found = new Set<Element>()
  let waiting: Element[] = []
  walk(root, false)
  return found

  function walk(node: Root | Element, isDescription: boolean): void {
    for (const child of node.children) {
      if (child.type !== 'element') continue
      if (lists.has(child) && !isDescription) waiting.push(child)
      else if (/^(?:h[1-6]|dt)$/.test(child.tagName)) {
        const names = [String(child.properties['id'] ?? ''), ...(child.data?.aliases ?? [])]
        for (const list of waiting)
          if (lists.get(list)?.some((target) => names.includes(target))) found.add(list)
        waiting = []
      } else walk(child, isDescription || child.tagName === 'dd')
    }
  }
}
