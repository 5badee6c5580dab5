import type { Element, ElementContent, Root } from 'hast'
import { isNotes } from '../read/read-notes.ts'
import type { RuleTest } from '../rules/compile-rules.ts'
import { below, findBelow, findWithin, hasBelow, hasWithin } from '../tree/below.ts'
import { elementsIn } from '../tree/children.ts'
import { stringProperty } from '../tree/properties.ts'
import { isBlank, shortText, textLength } from '../tree/short-text.ts'
import { isBlock, isHeadingOrTerm, isLink, isTag } from '../tree/tags.ts'
import { collapse, textOf } from '../tree/text-of.ts'
import { furnitureTexts } from './noise-rules.ts'

type Parent = Root | Element

/** Remove a child of a parent; `rule` is a word for the reason. */
type Remove = (parent: Parent, child: Element, rule: string) => void

/** In characters. */
const maxTrail = 300
/** In characters without white space, outside of links. */
const maxSection = 500
/** At most this many blocks are removed at the end of a page. */
const maxBlocks = 6
/** In characters: a running head, such as the name and edition of the manual. */
const maxHead = 100

/** Characters without white space; shorter text may be a label. */
const minSentence = 40

const feedbackTitle =
  /^(?:(?:page )?feedback|(?:is|was) this (?:page |article |section |information )?(?:helpful|useful)\W*|ai tools|share via|rate this page)$/i
/** Announces other pages, in links. */
const teaserTitle =
  /^(?:explore(?: more)?|related (?:articles|posts|guides|stories)|similar reads|you (?:may|might) also (?:like|enjoy)|recommended(?: articles| reading| for you)?|more (?:articles|posts|stories)|popular (?:articles|posts)|latest (?:articles|posts))$/i
const pagerText =
  /^\W*(?:Previous|previous|Prev|prev|Next|next|Newer|Older)(?: (?:page|chapter|section|article|topic|step))?(?![a-z.]| [a-z])/

/** A link to another page of the manual, by its whole text or that of its image. */
const controlText =
  /^\W*(?:prev|previous|next|up|home|top|contents|index|back|forward|home page|site map|contacts)\W*$/i
const legalText = /©|\bcopyright\b|\(c\) ?(?:19|20)\d\d/i

/**
 * Remove what surrounds the text inside the content: lists of links, logos and bars of controls before
 * the title; at the end, links to the pages before and after, lines that stand before the title too,
 * legal notices, and sections for feedback.
 */
export function stripPageEnds(root: Root, remove: Remove): void {
  const heads = stripTrails(root, remove)
  for (let count = 0; count < maxBlocks; count++) {
    const path = lastPath(root)
    const isStripped = stripPager(path, remove) || stripHead(path, heads, remove)
    if (!isStripped && !stripLegal(path, remove) && !stripFeedback(path, remove)) return
  }
}

/** Remove what leads elsewhere before the first `h1`; the short blocks that stay there, by their text. */
function stripTrails(root: Root, remove: Remove): Map<string, Place> {
  const trails: Place[] = []
  const heads = new Map<string, Place>()
  if (!hasBelow(root, isTitle)) return heads
  search(root)
  for (const { parent, element } of trails) remove(parent, element, 'trail')
  return heads

  /** True once the title, or prose, is reached. */
  function search(parent: Parent): boolean {
    for (const child of elementsIn(parent)) {
      if (child.tagName === 'h1' || isProse(child)) return true
      const isList = child.tagName === 'ul' || child.tagName === 'ol'
      const text = isHead(child) ? shortText(child, maxTrail) : undefined
      const isBar = text !== undefined && (isControls(child, text) || isPath(child, text))
      if (isList ? isOfLinks(child) : isBar || isLogo(child))
        trails.push({ parent, element: child })
      else if (!isList && search(child)) return true
      if (text && text.length <= maxHead) heads.set(text, { parent, element: child })
    }
    return false
  }
}

/** A paragraph of sentences, most of which is not links: what follows it is no trail. */
function isProse(element: Element): boolean {
  if (element.tagName !== 'p') return false
  const text = textOf(element)
  const isSentence = /[.!?:。！？]\s*$/.test(text) && textLength(text) >= minSentence
  return isSentence && linkedLength(element) * 2 < textLength(text)
}

const isHead = isTag('center div header p table tr')
const isLogo: RuleTest = (element) =>
  isLink(element) && isBlank(element) && hasBelow(element, isTag('img'))

/** A line of links with signs between them: breadcrumbs, or numbers of chapters. */
function isPath(line: Element, text: string): boolean {
  if (!/[|>»›→•·[]/.test(text) || line.tagName === 'table') return false
  const links = elementsIn(line).filter(isLink)
  return links.length > 1 && wordsOnly(links.map(textOf).join('')) === wordsOnly(text)
}
const wordsOnly = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')

/** A bar of links to pages of the manual; in a table, with a short text, such as the title of the book. */
function isControls(bar: Element, text: string): boolean {
  const links = [...below(bar)].filter(isLink)
  const limit = bar.tagName === 'table' ? maxHead : 3
  const isBar = links.length > 1 && links.every(isControl) && !hasBelow(bar, isTitle)
  return isBar && textLength(text) - linkedLength(bar) <= limit
}

function isControl(link: Element): boolean {
  const image = findBelow(link, isTag('img'))
  const text = collapse(textOf(link)) || (image && stringProperty(image, 'alt'))
  return controlText.test(text ?? '')
}

/** A short text in links, except for a separator. */
function isOfLinks(element: Element): boolean {
  const text = shortText(element, maxTrail)
  if (text === undefined || text === '') return false
  const linked = element.tagName === 'a' ? text.length : linkedLength(element)
  return linked > 0 && linked + 3 >= textLength(text)
}

/** Characters in links, without white space. */
export function linkedLength(element: Parent): number {
  let length = 0
  for (const child of below(element)) if (isLink(child)) length += textLength(textOf(child))
  return length
}

interface Place {
  parent: Parent
  element: Element
}

/** The last element with text, and the elements around it, the innermost first. */
function lastPath(root: Root): Place[] {
  const path: Place[] = []
  let parent: Parent = root
  for (;;) {
    const last: ElementContent | undefined = (parent.children as ElementContent[]).findLast(
      (child) => !isBlank(child) && !(child.type === 'element' && isNotes(child)),
    )
    if (last?.type !== 'element') return path
    path.unshift({ parent, element: last })
    parent = last
  }
}

function stripPager(path: readonly Place[], remove: Remove): boolean {
  const pager = path.findLast(({ element }) => {
    const text = isHead(element) ? shortText(element, maxTrail) : undefined
    return (isOfLinks(element) && isPager(element)) || (text && isControls(element, text))
  })
  if (pager) remove(pager.parent, pager.element, 'pager')
  return pager !== undefined
}

/** A line at the end that stands before the title too. */
function stripHead(path: readonly Place[], heads: Map<string, Place>, remove: Remove): boolean {
  const textOfHead = ({ element }: Place) => (isHead(element) && shortText(element, maxHead)) || ''
  const foot = path.find((place) => heads.has(textOfHead(place)))
  const head = foot && heads.get(textOfHead(foot))
  for (const place of head ? [head, foot] : []) remove(place.parent, place.element, 'running head')
  if (foot) heads.delete(textOfHead(foot))
  return foot !== undefined
}

function stripLegal(path: readonly Place[], remove: Remove): boolean {
  const block = path.find(({ element }) => isBlock(element))
  if (!block || hasBelow(block.element, isBlock) || path.some(isSaid)) return false
  if (!legalText.test(shortText(block.element, maxTrail) ?? '')) return false
  remove(block.parent, block.element, 'legal notice')
  return true
}

/** In a list, or below a heading of its own, a legal notice is what the page says. */
function isSaid({ parent, element }: Place): boolean {
  const siblings = elementsIn(parent)
  const before = siblings[siblings.indexOf(element) - 1]
  return isTag('dd li')(element) || (before !== undefined && isHeadingOrTerm(before))
}

/** By its text, or by that of a part: `<span>Next</span><span>upgrade</span>`. */
const isPager = (element: Element): boolean =>
  pagerText.test(shortText(element, maxTrail) ?? '') ||
  hasBelow(element, (part) => /^(?:previous|next)$/i.test(shortText(part, 8) ?? ''))

/** If the last heading asks for feedback, or announces other pages to read, it goes with all that follows it. */
function stripFeedback(path: readonly Place[], remove: Remove): boolean {
  for (const { parent, element } of path) {
    const children = elementsIn(parent)
    let length = 0
    for (let start = children.indexOf(element); start >= 0; start--) {
      const child = children[start] as Element
      length += textLength(textOf(child)) - linkedLength(child)
      if (length > maxSection) return false
      const title = titleOf(child)
      if (title === undefined) continue
      const parts = children.slice(start)
      const isTeaser = teaserTitle.test(title) && leads(parts, title)
      if (!feedbackTitle.test(title) && !isTeaser) return false
      // The title of a box speaks for the box alone.
      const after = isSubheading(child) ? [] : parts.slice(1).filter((part) => !isAboutPage(part))
      const isPage = parent.type === 'root' && start === 0
      if (after.length > 0 || isPage || parts.some(holdsTitle)) return false
      for (const part of parts) remove(parent, part, 'feedback')
      return true
    }
  }
  return false
}

/** True for parts that are mostly links, but for their title. */
function leads(parts: readonly Element[], title: string): boolean {
  const sum = (lengthOf: (part: Element) => number): number =>
    parts.reduce((length, part) => length + lengthOf(part), 0)
  return sum(linkedLength) * 2 > sum((part) => textLength(textOf(part))) - textLength(title)
}

const isAboutPage: RuleTest = (element) =>
  isBlank(element) || isOfLinks(element) || furnitureTexts.test(shortText(element, maxTrail) ?? '')

/** The text of a heading, or of one at the beginning of a box. */
function titleOf(box: Element): string | undefined {
  const heading = findWithin(box, isSubheading)
  const title = heading && collapse(textOf(heading))
  return title !== undefined && collapse(textOf(box)).startsWith(title) ? title : undefined
}

const isSubheading = isTag('h2 h3 h4 h5 h6')
const isTitle = isTag('h1')
const holdsTitle: RuleTest = (element) => hasWithin(element, isTitle)
