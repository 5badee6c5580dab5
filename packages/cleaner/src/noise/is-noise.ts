import type { Element } from 'hast'
import { hasBelow } from '../tree/has-below.ts'
import { classesOf, stringProperty } from '../tree/properties.ts'
import { collapse, textOf } from '../tree/text-of.ts'
import {
  noiseClasses,
  noiseClassPairs,
  noiseIds,
  noiseRoles,
  noiseTags,
  permalinkClasses,
  permalinkTexts,
} from './noise-rules.ts'

const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** True for an element that a reader of the documentation does not come for. */
export function isNoise(element: Element): boolean {
  const { tagName } = element
  if (noiseTags.has(tagName) || isHidden(element)) return true
  const role = stringProperty(element, 'role')
  if (role !== undefined && noiseRoles.has(role)) return true
  const id = element.properties['id']
  if (typeof id === 'string' && noiseIds.has(id)) return true
  const classes = classesOf(element)
  if (classes.some((name) => noiseClasses.has(name))) return !isHeading(element)
  if (noiseClassPairs.some((pair) => pair.every((name) => classes.includes(name)))) return true
  // Some sites wrap whole pages in a form, and articles carry their title in a header.
  if (tagName === 'form' || tagName === 'header') return !hasBelow(element, isHeading)
  if (tagName === 'aside') return isMostlyLinks(element)
  return tagName === 'a' && isPermalink(element)
}

const isHeading = (element: Element): boolean => headings.has(element.tagName)

function isHidden(element: Element): boolean {
  const { hidden, ariaHidden, style } = element.properties
  const invisible =
    (hidden !== undefined && hidden !== false) ||
    ariaHidden === 'true' ||
    (typeof style === 'string' && /display:\s*none/i.test(style))
  // A tab that is not in front is hidden until it is clicked, and is content all the same.
  return invisible && stringProperty(element, 'role') !== 'tabpanel'
}

/** True for `¶`, `#` and the like: a link to its own heading. */
export function isPermalink(element: Element): boolean {
  if (!stringProperty(element, 'href')?.includes('#')) return false
  if (classesOf(element).some((name) => permalinkClasses.has(name))) return true
  if (!element.children.every((child) => child.type === 'text')) return false
  return permalinkTexts.has(collapse(textOf(element)))
}

function isMostlyLinks(element: Element): boolean {
  const linked = { characters: 0 }
  hasBelow(element, (child) => {
    if (child.tagName === 'a') linked.characters += collapse(textOf(child)).length
    return false
  })
  return linked.characters * 2 > collapse(textOf(element)).length
}
