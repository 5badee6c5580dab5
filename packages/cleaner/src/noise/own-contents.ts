import type { Element } from 'hast'
import { stringProperty } from '../tree/properties.ts'
import { textOf } from '../tree/text-of.ts'

const minLinks = 3
const boxes = new Set(['div', 'dl', 'ol', 'p', 'table', 'ul'])

/**
 * True for a list of links to the sections of its own page and nothing else: it repeats them.
 * A link such as `#/install` may load another page.
 */
export function listsOwnSections(box: Element): boolean {
  if (!boxes.has(box.tagName)) return false
  let links = 0
  return search(box) && links >= minLinks

  function search({ children }: Element): boolean {
    for (const child of children) {
      if (child.type === 'text') {
        if (/[\p{L}\p{N}]/u.test(child.value)) return false
      } else if (child.type !== 'element') continue
      else if (child.tagName !== 'a') {
        if (child.tagName === 'img' || !search(child)) return false
      } else if (/^#[^/!]/.test(stringProperty(child, 'href') ?? '')) links++
      else if (/\S/.test(textOf(child))) return false
    }
    return true
  }
}
