import type { Element } from 'hast'
import { hasBelow } from '../tree/below.ts'
import { hasClass, namesOf, stringProperty } from '../tree/properties.ts'
import { shortText, textLength } from '../tree/short-text.ts'
import { textOf } from '../tree/text-of.ts'
import { boxNames, furnitureTexts, listNames, siteTexts } from './noise-rules.ts'
import { linkedLength } from './page-ends.ts'

/** Characters below an element, without white space and noise. */
export interface Weight {
  /** Without the text of links. */
  prose: number
  withLinks: number
}

/** In characters; longer text is no furniture whatever it says or is called. */
const maxFurniture = 700

/**
 * The kind of furniture that an element next to the content is, by its form; undefined if it may be
 * content. `mayList`: lists of links without a name that speaks of navigation are content.
 */
export function furnitureKind(
  element: Element,
  weight: Weight | undefined,
  mayList: boolean,
): string | undefined {
  const length = weight ? weight.withLinks : textLength(textOf(element))
  if (length === 0) return undefined
  const linked = weight ? weight.withLinks - weight.prose : linkedLength(element)
  if (linked * 2 > length || element.tagName === 'a') {
    if (!mayList || isOfSite(element)) return 'links'
  }
  const text = length > maxFurniture ? undefined : shortText(element, maxFurniture)
  if (!text) return undefined
  if (boxNames.test(namesOf(element).join(' '))) return 'box of the site'
  if (furnitureTexts.test(text)) return 'words'
  return siteTexts.find(([, form]) => form.test(text))?.[0]
}

/** A list of the pages of the site: called so, or with a mark at the current page. */
function isOfSite(element: Element): boolean {
  const isNamed = (part: Element) => listNames.test(namesOf(part).join(' '))
  return isNamed(element) || hasBelow(element, (part) => isNamed(part) || isCurrent(part))
}

const isCurrent = (element: Element): boolean =>
  stringProperty(element, 'ariaCurrent') !== undefined ||
  hasClass(element, /^(?:is-)?(?:active|current|selected)$/)
