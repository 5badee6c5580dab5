import type { Element } from 'hast'
import { isTitledNotes, notesIn } from '../read/read-notes.ts'
import { blockTags } from '../tree/block-tags.ts'
import { hasBelow } from '../tree/has-below.ts'
import { stringProperty } from '../tree/properties.ts'

/** Lists of footnotes outside of the regions, to which the regions have links or marks. */
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
  const { byElement } = notesIn({ type: 'root', children: lists }, regions)
  const isReferred = (element: Element): boolean =>
    targets.has(stringProperty(element, 'id') ?? '') || byElement.has(element)
  return lists.filter((list) => isReferred(list) || hasBelow(list, isReferred))

  function search(element: Element): void {
    for (const child of element.children) {
      if (child.type !== 'element' || regions.includes(child)) continue
      if (blockTags.has(child.tagName) && isTitledNotes(child)) lists.push(child)
      else search(child)
    }
  }
}
