import type { Element, ElementContent } from 'hast'
import { furnitureKind } from '../noise/furniture-kind.ts'
import { isContents, type NoiseReason } from '../noise/noise-reason.ts'
import { isTitledNotes } from '../read/read-notes.ts'
import { ancestorsOf, hasWithin } from '../tree/below.ts'
import { elementsIn } from '../tree/children.ts'
import { element, isElement, textNode } from '../tree/element.ts'
import { isWord, shortText } from '../tree/short-text.ts'
import { isBlock, isHeading, isTag } from '../tree/tags.ts'
import { lineOf } from '../tree/text-of.ts'
import { wordsOf } from '../tree/word-lists.ts'
import type { Prose } from './measure-prose.ts'

/** What a page says of its content. */
interface Marks {
  /** Title of the document. */
  title: string
  /** The page marks the region: lists of links and labels outside of it are not content. */
  isMarked: boolean
}

interface Sifted {
  /** The region and what belongs to it, in document order. */
  readonly content: Element[]
  readonly removed: { rule: string; element: Element }[]
  /** Labels next to a region that the page marks, for which there is no rule. */
  readonly leftOut: Element[]
}

/**
 * Sort everything in the body around the region: what a rule calls furniture, by its name or its
 * form, and what else belongs to the content.
 */
export function siftAround(
  body: Element,
  region: Element,
  prose: Prose,
  noiseReason: NoiseReason,
  marks: Marks,
): Sifted {
  const content: Element[] = []
  const removed: Sifted['removed'] = []
  const leftOut: Element[] = []
  const around = ancestorsOf(body, region)
  const regionProse = prose.of.get(region)?.prose ?? 0
  const hasTitle = hasWithin(region, isTitle)
  let isAfter = false
  /** The last part of the document's title before the region. */
  let lastTitle: Element | undefined
  const isOwnTitle = (node: Element) => isTitle(node) && isPartOf(marks.title, node)
  sift(body)
  return { content, removed, leftOut }

  function sift(node: ElementContent): void {
    if (node.type === 'text' && isWord.test(node.value)) keep(element('p', [textNode(node.value)]))
    if (node.type !== 'element') return
    if (node === region) {
      isAfter = true
      if (!hasWithin(region, isOwnTitle)) restore({ content, removed }, lastTitle)
      if (node.tagName === 'body') siftBody(node, prose, removed)
      content.push(node)
    } else if (around.has(node)) for (const child of node.children) sift(child)
    else siftOutside(node)
  }

  function siftOutside(node: Element): void {
    const rule = noiseReason(node) ?? (isTitledNotes(node) ? undefined : kindOf(node))
    if (rule === 'title of the site' && !isAfter) lastTitle = node
    if (rule !== undefined) removed.push({ rule, element: node })
    else if (isBox(node)) siftBox(node)
    else keep(node)
  }

  function siftBox(box: Element): void {
    const [contentBefore, removedBefore] = [content.length, removed.length]
    for (const child of box.children) sift(child)
    // A heading of nothing but furniture is a part of it.
    if (removed.length > removedBefore && content.slice(contentBefore).every(isSubheading))
      for (const title of content.splice(contentBefore))
        removed.push({ rule: 'title of furniture', element: title })
  }

  function kindOf(node: Element): string | undefined {
    const weight = prose.of.get(node)
    // Where links outweigh the text, they are what the page is for.
    const isIndex = weight !== undefined && weight.withLinks - weight.prose > regionProse
    // Contents that are most of the page are what it is for.
    if (isAfter && !marks.isMarked && isMost(prose, node, body) && isContents(node))
      return undefined
    if (landmark.test(node.tagName) && !(hasWithin(node, isTitle) && !hasTitle)) return 'landmark'
    const kind = furnitureKind(node, weight, !marks.isMarked && (isAfter || isIndex))
    return kind ?? (repeatsTitle(node) ? 'title of the site' : undefined)
  }

  /** A part of the document's title, next to a region with a title of its own. */
  function repeatsTitle(node: Element): boolean {
    return (hasTitle || (isAfter && !isTitle(node))) && isPartOf(marks.title, node)
  }

  function keep(node: Element): void {
    const text = lineOf(node)
    if (!isWord.test(text)) return
    // What consists of noise only is for the next step, which removes it by its rules.
    const isNoise = prose.of.get(node)?.withLinks === 0
    const isLabel = !isHeading(node) && !isSentence.test(text) && text.length <= maxName
    if (marks.isMarked && isLabel && !isNoise && !isTitledNotes(node)) leftOut.push(node)
    else content.push(node)
  }
}

/** A title that was removed becomes content. */
function restore({ content, removed }: Pick<Sifted, 'content' | 'removed'>, title?: Element): void {
  const at = removed.findIndex((each) => each.element === title)
  if (!title || at < 0) return
  removed.splice(at, 1)
  content.push(asTitle(title))
}

function isPartOf(title: string, node: Element): boolean {
  const text = shortText(node, maxLabel)
  return text !== undefined && text !== '' && title.includes(text)
}

const asTitle = (node: Element): Element =>
  hasWithin(node, (part) => isHeading(part) || isVerbatim(part))
    ? node
    : element('h1', [textNode(lineOf(node))])

/** Of a body without another region, only boxes that are called furniture go. */
function siftBody(body: Element, prose: Prose, removed: Sifted['removed']): void {
  body.children = body.children.filter((child) => {
    if (!isElement(child)) return true
    const isLandmark = landmark.test(child.tagName) && !hasWithin(child, isTitle)
    if (!isLandmark && !boxes.has(child.tagName)) return true
    const rule = isLandmark ? 'landmark' : furnitureKind(child, prose.of.get(child), true)
    if (rule === undefined || !kindsByName.has(rule)) return true
    // What has the title and most of the page is the page, whatever lists are in it.
    if (rule === 'links' && isMost(prose, child, body) && hasWithin(child, isTitle)) return true
    removed.push({ rule, element: child })
    return false
  })
}

const isMost = (prose: Prose, part: Element, body: Element): boolean =>
  (prose.of.get(part)?.withLinks ?? 0) * 2 > (prose.of.get(body)?.withLinks ?? 0)

/** A box without text of its own, whose parts are sorted one by one. */
const isBox = (node: Element): boolean =>
  boxes.has(node.tagName) &&
  !isTitledNotes(node) &&
  node.children.every((child) => child.type !== 'text' || !isWord.test(child.value)) &&
  elementsIn(node).some(isBlock)

/** A custom element that is called as what it stands for. */
const landmark = /^[a-z].*-(?:banner|breadcrumbs?|footer|header|nav|navbar|navigation|sidebar|toc)$/
const boxes = wordsOf('article aside center div form header main section')
/** Kinds of furniture that are known by a name, or by what they ask. */
const kindsByName = new Set(['box of the site', 'consent', 'landmark', 'links'])
const isSubheading = isTag('h2 h3 h4 h5 h6')
const isTitle = isTag('h1')
const isVerbatim = isTag('pre table')
/** In characters; a longer text is no name of a site. */
const maxLabel = 100
/** In characters; a longer text is no name. */
const maxName = 40
const isSentence = /[.!?。！？…:]$/
