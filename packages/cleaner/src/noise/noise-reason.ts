import type { Element, Properties } from 'hast'
import {
  compileRules,
  matchesRules,
  type RuleSet,
  type RuleTest,
  ruleFor,
} from '../rules/compile-rules.ts'
import { below, findBelow, hasBelow } from '../tree/below.ts'
import { elementsIn } from '../tree/children.ts'
import { hasClass, namesOf, stringProperty } from '../tree/properties.ts'
import { isBlank, isWord, shortText } from '../tree/short-text.ts'
import { isHeading, isHeadingOrTerm, isLink, isTag } from '../tree/tags.ts'
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
const isNamedContents = matchesRules(compileRules(contentsRules))
/** True for a table of contents of the page or the site. */
export const isContents: RuleTest = (element) =>
  !isHeadingOrTerm(element) && isNamedContents(element) && !(headingIn(element) && isProse(element))
const isNamedPermalink = matchesRules(compileRules(permalinkRules))

/** Why an element is noise: the matching rule, or a word; undefined if it is not noise. */
export type NoiseReason = (element: Element) => string | undefined

/** Cached by additional rules; there are as many entries as profiles. */
const noiseReasons = new Map<string, NoiseReason>()

/** Create a test for noise. `more`: additional rules, separated by commas. */
export function noiseReasonBy(more = ''): NoiseReason {
  const cachedReason = noiseReasons.get(more)
  if (cachedReason) return cachedReason
  const rules = compileRules([...(more.match(/[^\s,]+/g) ?? []), ...noiseRules])
  noiseReasons.set(more, reasonOf)
  return reasonOf

  function reasonOf(element: Element): string | undefined {
    const { tagName, properties } = element
    if (element.data?.isContent) return undefined
    const byTag = ruleFor(rules.byTag, tagName, element)
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
        const rule = ruleFor(rules.byClass, className, element)
        if (rule !== undefined && !isTitled(element)) return rule
      }
      return undefined
    case 'id': {
      const rule = ruleFor(rules.byId, String(value), element)
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
  return role === 'tabpanel' || element.tagName === 'pre' || hasClass(element, /\btab/i)
}

const headingIn = (box: Element): Element | undefined => elementsIn(box).find(isHeading)

/** A section whose heading produces an id or class that is noise elsewhere. */
function isTitled(element: Element): boolean {
  if (isHeadingOrTerm(element)) return true
  if (element.tagName !== 'section' && element.tagName !== 'div') return false
  const heading = headingIn(element)
  if (!heading || element.tagName === 'section') return heading !== undefined
  // Other generators write a `div` for a section, with the words of its title as id or class.
  return isProse(element) && isCalledLike(element, heading)
}

/** True if the id or a class of an element is made of the words of its title. */
function isCalledLike(element: Element, heading: Element): boolean {
  const words = (text: string) =>
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join('-')
  const title = words(textOf(heading))
  return namesOf(element).some((name) => words(name) === title)
}

/** True for a box with text, a list or code besides its heading, that is not mostly links. */
const isProse: RuleTest = (element) => hasBelow(element, isProseTag) && !isMostlyLinks(element)
const isProseTag = isTag('code dl li p pre table')

/** Tags of controls and scripts that may hold text of the page. */
function isTextTag(element: Element): boolean {
  const { readOnly, disabled, type } = element.properties
  switch (element.tagName) {
    // MathJax stores the source of a formula in a script.
    case 'script':
      return stringProperty(element, 'type')?.startsWith('math/tex') ?? false
    // A disabled checkbox of a task list.
    case 'input':
      return type === 'checkbox' && disabled === true
    // Text that a form shows and does not ask for.
    default:
      return element.tagName === 'textarea' && (readOnly === true || disabled === true)
  }
}

/** Elements that are noise depending on their content. */
function reasonByContent(element: Element): string | undefined {
  switch (element.tagName) {
    case 'a':
      if (isPermalink(element)) return 'permalink'
      if (isTopLink(element)) return 'link to the top'
      return isViewLink(element) ? 'words' : undefined
    case 'aside':
      // Notes and footnotes may consist of a link only.
      return !hasClass(element, boxesOfText) && isMostlyLinks(element) ? 'links' : undefined
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

const boxesOfText = /note|tip|warning|admonition|callout|caution|important/
const isText = isTag('h1 h2 h3 h4 h5 h6 p pre')

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
  const all = elementsIn(list)
  // The current one may be no link.
  const items = all.filter((item) => hasBelow(item, isLink))
  if (items.length < 3 || items.length < all.length - 1) return false
  const [page] = items.map(pageOf)
  const isEdition = (item: Element) => editions.test(shortText(item, 12) ?? '')
  return page !== undefined && items.every((item) => isEdition(item) && pageOf(item) === page)
}

const editions =
  /^(?:v?\d+(?:\.\d+)*(?:\.x)?|dev|devel|latest|stable|main|master|next|nightly|[a-z]{2}(?:[-_][a-z]{2,4})?)$/i

/** The last path segment of the first link in an element. */
function pageOf(item: Element): string | undefined {
  const link = findBelow(item, (child) => isLink(child) && 'href' in child.properties)
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
  const image = findBelow(link, isTag('img'))
  const text = image ? stringProperty(image, 'alt') : shortText(link, 5)
  return !/\p{L}/u.test(textOf(link)) && topText.test(text ?? '')
}

function isMostlyLinks(element: Element): boolean {
  let linked = 0
  for (const child of below(element)) if (isLink(child)) linked += collapse(textOf(child)).length
  return linked * 2 > collapse(textOf(element)).length
}

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
