import type { Element } from 'hast'
import { stringProperty } from '../tree/properties.ts'
import { isBlank, isWord } from '../tree/short-text.ts'
import { isTag } from '../tree/tags.ts'

const minLinks = 3
const isBox = isTag('div dl ol p table ul')

/**
 * True for a list of links to the sections of its own page and nothing else: it repeats them.
 * A link such as `#/install` may load another page.
 */
export function listsOwnSections(box: Element): boolean {
  if (!isBox(box)) return false
  let links = 0
  return search(box) && links >= minLinks

  function search({ children }: Element): boolean {
    for (const child of children) {
      if (child.type === 'text') {
        if (isWord.test(child.value)) return false
      } else if (child.type !== 'element') continue
      else if (child.tagName !== 'a') {
        if (child.tagName === 'img' || !search(child)) return false
      } else if (/^#[^/!]/.test(stringProperty(child, 'href') ?? '')) links++
      else if (!isBlank(child)) return false
    }
    return true
  }
}
