import type { Element, ElementContent, Properties } from 'hast'
import { compileRules, matchesRules, type RuleSet, type RuleTest } from '../rules/compile-rules.ts'
import { classesOf } from '../tree/classes.ts'
import { findBelow, hasBelow } from '../tree/has-below.ts'
import { stringProperty } from '../tree/properties.ts'
import { shortText } from '../tree/short-text.ts'
import { collapse, textOf } from '../tree/text-of.ts'
import {
  contentsRules,
  furnitureTexts,
  noiseRoles,
  noiseRules,
  permalinkRules,
  permalinkTexts,
  viewTexts,
} from './noise-rules.ts'

const maxPermalinkLength = Math.max(...[...permalinkTexts].map((text) => text.length))
const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const isHeading: RuleTest = (element) => headings.has(element.tagName)
/** True for a table of contents of the page or the site. */
const isNamedContents = matchesRules(compileRules(contentsRules))
export const isContents: RuleTest = (element) =>
  !isHeading(element) &&
  element.tagName !== 'dt' &&
  isNamedContents(element) &&
  !(element.children.some(isAnyHeading) && isProse(element))
const isNamedPermalink = matchesRules(compileRules(permalinkRules))

/** Why an element is noise: the matching rule, or a word; undefined if it is not noise. */
export type NoiseReason = (element: Element) => string | undefined

/** Cached by additional rules; there are as many entries as profiles. */
const noiseReasons = new Map<string, NoiseReason>()

/** Create a test for noise. `more`: additional rules, separated by commas. */
export function noiseReasonBy(more = ''): NoiseReason {
  const known = noiseReasons.get(more)
  if (known) return known
  const reason = createNoiseReason(compileRules([...rulesIn(more), ...noiseRules]))
  noiseReasons.set(more, reason)
  return reason
}

const rulesIn = (list: string): string[] => list.match(/[^\s,]+/g) ?? []

function createNoiseReason(rules: RuleSet): NoiseReason {
  return (element) => {
    const { tagName, properties } = element
    if (element.data?.isContent) return undefined
    const byTag = rules.byTag(tagName, element)
    if (byTag !== undefined) return isTextTag(element) ? undefined : byTag
    // Most elements have at most one attribute, so a loop over attributes is fastest.
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

/** The attribute that hides an element, from everyone or from screen readers only. */
export function hidingOf({ properties }: Element): string | undefined {
  for (const name in properties) if (isHiding(name, properties[name])) return name
  return undefined
}

function isHiding(name: string, value: Properties[string]): boolean {
  if (name === 'hidden') return value !== undefined && value !== false && value !== 'until-found'
  if (name === 'ariaHidden') return value === 'true'
  return name === 'style' && typeof value === 'string' && /display:\s*none/i.test(value)
}

/** Hidden tab panels are shown on a click; a hidden `pre` is hidden from screen readers only. */
function isShownOnDemand(element: Element): boolean {
  const { role } = element.properties
  if (role === 'tabpanel' || element.tagName === 'pre') return true
  return classesOf(element).some((name) => /\btab/i.test(name))
}

/** A section whose heading produces an id or class that is noise elsewhere. */
function isTitled(element: Element): boolean {
  if (isHeading(element) || element.tagName === 'dt') return true
  if (element.tagName === 'section') return element.children.some(isAnyHeading)
  // Other generators write a `div` for a section, with the words of its title as id or class.
  const heading = element.tagName === 'div' ? element.children.find(isAnyHeading) : undefined
  return heading !== undefined && isProse(element) && isCalledLike(element, heading as Element)
}

/** True if the id or a class of an element is made of the words of its title. */
function isCalledLike(element: Element, heading: Element): boolean {
  const words = (text: string) =>
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join('-')
  const title = words(textOf(heading))
  const names = [stringProperty(element, 'id'), ...classesOf(element)]
  return names.some((name) => name !== undefined && words(name) === title)
}

/** True for a box with text, a list or code besides its heading, that is not mostly links. */
const isProse: RuleTest = (element) =>
  hasBelow(element, ({ tagName }) => proseTags.has(tagName)) && !isMostlyLinks(element)

const proseTags = new Set(['code', 'dl', 'li', 'p', 'pre', 'table'])

const isAnyHeading = (node: ElementContent): boolean => node.type === 'element' && isHeading(node)

/** MathJax stores the source of a formula in a script. */
const isTexScript: RuleTest = (element) =>
  element.tagName === 'script' && (stringProperty(element, 'type')?.startsWith('math/tex') ?? false)

/** Tags of controls and scripts that may hold text of the page. */
const isTextTag: RuleTest = (element) =>
  isTexScript(element) || isTask(element) || isListing(element)

/** Text that a form shows and does not ask for. */
const isListing: RuleTest = ({ tagName, properties }) =>
  tagName === 'textarea' && (properties['readOnly'] === true || properties['disabled'] === true)

/** A disabled checkbox of a task list. */
const isTask: RuleTest = ({ tagName, properties }) =>
  tagName === 'input' && properties['type'] === 'checkbox' && properties['disabled'] === true

/** Elements that are noise depending on their content. */
function reasonByContent(element: Element): string | undefined {
  switch (element.tagName) {
    case 'a':
      if (isPermalink(element)) return 'permalink'
      if (isTopLink(element)) return 'link to the top'
      return isViewLink(element) ? 'words' : undefined
    case 'aside':
      return !isAsideOfText(element) && isMostlyLinks(element) ? 'links' : undefined
    // Articles have their title in a header, and some sites wrap the page in a form.
    case 'header':
      return !hasBelow(element, isHeading) && isMostlyLinks(element) ? 'links' : undefined
    case 'form':
      return hasBelow(element, isText) ? undefined : 'no text'
    case 'div':
    case 'p':
      return isFurniture(element) ? 'words' : undefined
    case 'button':
      return 'button'
    case 'dialog':
      return element.properties['open'] === undefined ? 'dialog' : undefined
    case 'ol':
    case 'ul':
      return isPicker(element) ? 'picker' : undefined
    default:
      return undefined
  }
}

/** Notes and footnotes may consist of a link only. */
const isAsideOfText: RuleTest = (element) =>
  classesOf(element).some((name) =>
    /note|tip|warning|admonition|callout|caution|important/.test(name),
  )

const isText: RuleTest = (element) =>
  isHeading(element) || element.tagName === 'pre' || element.tagName === 'p'

/** A short text about the page, inside inline elements only. */
function isFurniture(element: Element, texts = furnitureTexts): boolean {
  if (element.children.length === 0 || element.children.length > 4) return false
  const text = shortText(element, 100)
  return text !== undefined && texts.test(text)
}

/** Pages contain thousands of links, so the first child is checked before the text. */
function isViewLink(link: Element): boolean {
  const [first] = link.children
  return (
    first?.type === 'text' && /^\s{0,20}view\b/i.test(first.value) && isFurniture(link, viewTexts)
  )
}

/** A list of links to the same page in other versions or languages. */
function isPicker(list: Element): boolean {
  const all = list.children.filter((child) => child.type === 'element')
  // The current one may be no link.
  const items = all.filter((item) => hasBelow(item, ({ tagName }) => tagName === 'a'))
  if (items.length < 3 || items.length < all.length - 1) return false
  const [page] = items.map(pageOf)
  return page !== undefined && items.every((item) => isEdition(item) && pageOf(item) === page)
}

function isEdition(item: Element): boolean {
  const text = shortText(item, 12)
  return text !== undefined && editions.test(text)
}

const editions =
  /^(?:v?\d+(?:\.\d+)*(?:\.x)?|dev|devel|latest|stable|main|master|next|nightly|[a-z]{2}(?:[-_][a-z]{2,4})?)$/i

/** The last path segment of the first link in an element. */
function pageOf(item: Element): string | undefined {
  const link = findBelow(item, ({ tagName, properties }) => tagName === 'a' && 'href' in properties)
  return (link && stringProperty(link, 'href'))
    ?.replace(/[?#].*$/, '')
    .split('/')
    .filter(Boolean)
    .at(-1)
}

/** True for `¶`, `#` and similar links to their own heading. */
export function isPermalink(element: Element): boolean {
  if (!stringProperty(element, 'href')?.includes('#')) return false
  if (isNamedPermalink(element)) return true
  if (!element.children.every((child) => child.type === 'text')) return false
  const text = shortText(element, maxPermalinkLength)
  return text !== undefined && permalinkTexts.has(text)
}

const topText = /^(?:(?:\W*(?:back to )?(?:the )?top(?: of (?:the )?page)?|up)\W*|[\s^↑⇑⇧▲△⬆]*)$/i

/** A link to the top of the page that consists of an arrow or an image. */
function isTopLink(link: Element): boolean {
  const target = stringProperty(link, 'href') ?? ''
  if (!/^#(?:_?top|header|page-?(?:header|top))?$/i.test(target)) return false
  const image = findBelow(link, ({ tagName }) => tagName === 'img')
  const text = image ? stringProperty(image, 'alt') : shortText(link, 5)
  return !/\p{L}/u.test(textOf(link)) && topText.test(text ?? '')
}

function isMostlyLinks(element: Element): boolean {
  const linked = { characters: 0 }
  hasBelow(element, (child) => {
    if (child.tagName === 'a') linked.characters += collapse(textOf(child)).length
    return false
  })
  return linked.characters * 2 > collapse(textOf(element)).length
}
