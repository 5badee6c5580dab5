import type { Element, ElementContent, Root } from 'hast'
import { isNotes } from '../read/read-notes.ts'
import type { RuleTest } from '../rules/compile-rules.ts'
import { below, findWithin, hasBelow, hasWithin } from '../tree/below.ts'
import { elementsIn } from '../tree/children.ts'
import { isBlank, shortText, textLength } from '../tree/short-text.ts'
import { isLink, isTag } from '../tree/tags.ts'
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
const maxBlocks = 4

const feedbackTitle =
  /^(?:(?:page )?feedback|(?:is|was) this (?:page |article |section |information )?(?:helpful|useful)\W*|ai tools|share via|rate this page)$/i
/** Announces other pages, in links. */
const teaserTitle =
  /^(?:explore(?: more)?|related (?:articles|posts|guides|stories)|similar reads|you (?:may|might) also (?:like|enjoy)|recommended(?: articles| reading| for you)?|more (?:articles|posts|stories)|popular (?:articles|posts)|latest (?:articles|posts))$/i
const pagerText =
  /^\W*(?:Previous|previous|Prev|prev|Next|next|Newer|Older)(?: (?:page|chapter|section|article|topic|step))?(?![a-z.]| [a-z])/

/**
 * Remove what surrounds the text inside the content: lists of links before the title, sections for
 * feedback at the end, and links to the pages before and after.
 */
export function stripPageEnds(root: Root, remove: Remove): void {
  stripTrails(root, remove)
  for (let count = 0; count < maxBlocks; count++) {
    const path = lastPath(root)
    if (!stripPager(path, remove) && !stripFeedback(path, remove)) return
  }
}

/** Breadcrumbs and other lists of links before the first `h1`. */
function stripTrails(root: Root, remove: Remove): void {
  const trails: Place[] = []
  if (search(root)) for (const { parent, element } of trails) remove(parent, element, 'trail')

  /** True once the title is reached. */
  function search(parent: Parent): boolean {
    for (const child of elementsIn(parent)) {
      if (child.tagName === 'h1') return true
      if (child.tagName === 'ul' || child.tagName === 'ol') {
        if (isOfLinks(child)) trails.push({ parent, element: child })
      } else if (search(child)) return true
    }
    return false
  }
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
  const pager = path.findLast(({ element }) => isOfLinks(element) && isPager(element))
  if (pager) remove(pager.parent, pager.element, 'pager')
  return pager !== undefined
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
const holdsTitle: RuleTest = (element) => hasWithin(element, isTag('h1'))
