import type { Element, ElementContent, Properties } from 'hast'
import { compileRules, matchesRules, type RuleSet, type RuleTest } from '../rules/compile-rules.ts'
import { hasBelow } from '../tree/has-below.ts'
import { classesOf, stringProperty } from '../tree/properties.ts'
import { collapse, shortText, textOf } from '../tree/text-of.ts'
import {
  contentsRules,
  furnitureTexts,
  noiseRoles,
  noiseRules,
  permalinkRules,
  permalinkTexts,
  viewTexts,
} from './noise-rules.ts'

const longestPermalink = Math.max(...[...permalinkTexts].map((text) => text.length))
const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const isHeading: RuleTest = (element) => headings.has(element.tagName)
/** True for a table of contents of the page or the site. */
const isNamedContents = matchesRules(compileRules(contentsRules))
export const isContents: RuleTest = (element) =>
  !isHeading(element) && element.tagName !== 'dt' && isNamedContents(element)
const isNamedPermalink = matchesRules(compileRules(permalinkRules))

/** Why an element is noise: the rule that names it, or in a word what it is; undefined if it is not. */
export type NoiseReason = (element: Element) => string | undefined

const noRules: readonly string[] = []
/** By the rules besides the usual: a profile's, so there are as many as there are profiles. */
const noiseReasons = new WeakMap<readonly string[], NoiseReason>()

/** Tells what a reader of the documentation does not come for. `more`: rules besides the usual. */
export function noiseReasonBy(more: readonly string[] = noRules): NoiseReason {
  const known = noiseReasons.get(more)
  if (known) return known
  const reason = createNoiseReason(compileRules([...more, ...noiseRules]))
  noiseReasons.set(more, reason)
  return reason
}

function createNoiseReason(rules: RuleSet): NoiseReason {
  return (element) => {
    const { tagName, properties } = element
    if (element.data?.isContent) return undefined
    const byTag = rules.byTag(tagName, element)
    if (byTag !== undefined) return isTexScript(element) || isTask(element) ? undefined : byTag
    // Most elements have one attribute or none: a look at each is the shortest way.
    for (const name in properties) {
      const reason = attributeReason(element, name, properties[name], rules)
      if (reason !== undefined) return reason
    }
    return reasonByContent(element)
  }
}

function attributeReason(
  element: Element,
  name: string,
  value: Properties[string],
  rules: RuleSet,
): string | undefined {
  switch (name) {
    case 'className':
      for (const className of value as string[]) {
        const rule = rules.byClass(className, element)
        if (rule !== undefined && !isTitled(element)) return rule
      }
      return undefined
    case 'id': {
      const rule = rules.byId(String(value), element)
      return rule !== undefined && !isTitled(element) ? rule : undefined
    }
    case 'role':
      if (value === 'complementary' && !isMostlyLinks(element)) return undefined
      return noiseRoles.has(String(value)) ? `role=${value}` : undefined
    default:
      return isHiding(name, value) && !isShownOnDemand(element) ? 'hidden' : undefined
  }
}

function isHiding(name: string, value: Properties[string]): boolean {
  if (name === 'hidden') return value !== undefined && value !== false && value !== 'until-found'
  if (name === 'ariaHidden') return value === 'true'
  return name === 'style' && typeof value === 'string' && /display:\s*none/i.test(value)
}

/** A tab that is not in front is hidden until it is clicked; code is hidden from readers aloud only. */
function isShownOnDemand(element: Element): boolean {
  const { role } = element.properties
  if (role === 'tabpanel' || element.tagName === 'pre') return true
  return classesOf(element).some((name) => /\btab/i.test(name))
}

/** A section whose heading happens to make an id or class that is noise elsewhere. */
function isTitled(element: Element): boolean {
  if (isHeading(element) || element.tagName === 'dt') return true
  return element.tagName === 'section' && element.children.some((child) => isAnyHeading(child))
}

const isAnyHeading = (node: ElementContent): boolean => node.type === 'element' && isHeading(node)

/** MathJax keeps the source of a formula in a script. */
const isTexScript: RuleTest = (element) =>
  element.tagName === 'script' && (stringProperty(element, 'type')?.startsWith('math/tex') ?? false)

/** A box in a list of tasks, which nobody can tick. */
const isTask: RuleTest = ({ tagName, properties }) =>
  tagName === 'input' && properties['type'] === 'checkbox' && properties['disabled'] === true

/** Elements that are noise or content depending on what is in them. */
function reasonByContent(element: Element): string | undefined {
  switch (element.tagName) {
    case 'a':
      if (isPermalink(element)) return 'permalink'
      return isViewLink(element) ? 'words' : undefined
    case 'aside':
      return !isAsideOfText(element) && isMostlyLinks(element) ? 'links' : undefined
    // Articles carry their title in a header, and some sites wrap whole pages in a form.
    case 'header':
      return !hasBelow(element, isHeading) && isMostlyLinks(element) ? 'links' : undefined
    case 'form':
      return hasBelow(element, isText) ? undefined : 'no text'
    case 'div':
    case 'p':
      return isFurniture(element) ? 'words' : undefined
    case 'ol':
    case 'ul':
      return isPicker(element) ? 'picker' : undefined
    default:
      return undefined
  }
}

/** Notes and footnotes may well be nothing but a link. */
const isAsideOfText: RuleTest = (element) =>
  classesOf(element).some((name) =>
    /note|tip|warning|admonition|callout|caution|important/.test(name),
  )

const isText: RuleTest = (element) =>
  isHeading(element) || element.tagName === 'pre' || element.tagName === 'p'

/** A short text about the page, with nothing but inline elements around it. */
function isFurniture(element: Element, texts = furnitureTexts): boolean {
  if (element.children.length === 0 || element.children.length > 4) return false
  const text = shortText(element, 100)
  return text !== undefined && texts.test(text)
}

/** There are thousands of links on a page: most are told by how they begin. */
function isViewLink(link: Element): boolean {
  const [first] = link.children
  return (
    first?.type === 'text' && /^\s{0,20}view\b/i.test(first.value) && isFurniture(link, viewTexts)
  )
}

/** A list of links to the same page in other versions or languages. */
function isPicker(list: Element): boolean {
  const items = list.children.filter((child) => child.type === 'element')
  if (items.length < 3) return false
  const [page] = items.map(pageOf)
  return page !== undefined && items.every((item) => isEdition(item) && pageOf(item) === page)
}

function isEdition(item: Element): boolean {
  const text = shortText(item, 12)
  return text !== undefined && editions.test(text)
}

const editions =
  /^(?:v?\d+(?:\.\d+)*(?:\.x)?|dev|devel|latest|stable|main|master|next|nightly|[a-z]{2}(?:[-_][a-z]{2,4})?)$/i

/** The last part of the path that the first link of an element leads to. */
function pageOf(item: Element): string | undefined {
  let href: string | undefined
  hasBelow(item, (child) => {
    if (child.tagName === 'a') href ??= stringProperty(child, 'href')
    return href !== undefined
  })
  return href
    ?.replace(/[?#].*$/, '')
    .split('/')
    .filter(Boolean)
    .at(-1)
}

/** True for `¶`, `#` and the like: a link to its own heading. */
export function isPermalink(element: Element): boolean {
  if (!stringProperty(element, 'href')?.includes('#')) return false
  if (isNamedPermalink(element)) return true
  if (!element.children.every((child) => child.type === 'text')) return false
  const text = shortText(element, longestPermalink)
  return text !== undefined && permalinkTexts.has(text)
}

function isMostlyLinks(element: Element): boolean {
  const linked = { characters: 0 }
  hasBelow(element, (child) => {
    if (child.tagName === 'a') linked.characters += collapse(textOf(child)).length
    return false
  })
  return linked.characters * 2 > collapse(textOf(element)).length
}
