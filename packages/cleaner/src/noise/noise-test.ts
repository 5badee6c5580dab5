import type { Element } from 'hast'
import { compileRules, type RuleTest } from '../rules/compile-rules.ts'
import { hasBelow } from '../tree/has-below.ts'
import { stringProperty } from '../tree/properties.ts'
import { collapse, textOf } from '../tree/text-of.ts'
import { noiseRoles, noiseRules, permalinkRules, permalinkTexts } from './noise-rules.ts'

const isNamedNoise = compileRules(noiseRules)
const isNamedPermalink = compileRules(permalinkRules)
const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const isHeading: RuleTest = (element) => headings.has(element.tagName)

/** A test for elements that a reader of the documentation does not come for. */
export function createNoiseTest(more: readonly string[] = []): RuleTest {
  const isMoreNoise = compileRules(more)
  return (element) => {
    if (isHidden(element)) return true
    if (isMoreNoise(element)) return true
    if (isNamedNoise(element)) return !isHeading(element) && !isTexScript(element)
    const role = stringProperty(element, 'role')
    if (role !== undefined && noiseRoles.has(role)) return true
    return isNoiseByContent(element)
  }
}

/** Elements that are noise or content depending on what is in them. */
function isNoiseByContent(element: Element): boolean {
  switch (element.tagName) {
    case 'a':
      return isPermalink(element)
    case 'aside':
      return isMostlyLinks(element)
    // Some sites wrap whole pages in a form, and articles carry their title in a header.
    case 'form':
    case 'header':
      return !hasBelow(element, isHeading)
    default:
      return false
  }
}

/** MathJax keeps the source of a formula in a script. */
const isTexScript: RuleTest = (element) =>
  element.tagName === 'script' && (stringProperty(element, 'type')?.startsWith('math/tex') ?? false)

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
  if (isNamedPermalink(element)) return true
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
