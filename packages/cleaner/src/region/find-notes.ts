import type { Element } from 'hast'
import { isNotes } from '../noise/page-ends.ts'
import { hasBelow } from '../tree/has-below.ts'
import { stringProperty } from '../tree/properties.ts'

/** Lists of footnotes outside of the regions, to which the regions have links. */
export function findNotes(body: Element, regions: readonly Element[]): Element[] {
  const lists: Element[] = []
  search(body)
  if (lists.length === 0) return lists
  const targets = new Set<string>()
  for (const region of regions)
    hasBelow(region, (element) => {
      const href = element.tagName === 'a' ? stringProperty(element, 'href') : undefined
      if (href?.startsWith('#')) targets.add(href.slice(1))
      return false
    })
  return lists.filter((list) =>
    hasBelow(list, (element) => targets.has(stringProperty(element, 'id') ?? '')),
  )

  function search(element: Element): void {
    for (const child of element.children) {
      if (child.type !== 'element' || regions.includes(child)) continue
      if (isNotes(child)) lists.push(child)
      else search(child)
    }
  }
}
