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

/** The lists whose targets all follow them. */
export function leading(
  root: Root,
  lists: ReadonlyMap<Element, readonly string[]>,
): ReadonlySet<Element> {
  const passed = new Set<unknown>()
  const found = new Set<Element>()
  walk(root)
  return found

  function walk(node: Root | Element): void {
    for (const child of node.children) {
      if (child.type !== 'element') continue
      const targets = lists.get(child)
      if (targets && !targets.some((target) => passed.has(target))) found.add(child)
      const { id, name } = child.properties
      for (const mark of [id, name, ...(child.data?.aliases ?? [])]) passed.add(mark)
      walk(child)
    }
  }
}
