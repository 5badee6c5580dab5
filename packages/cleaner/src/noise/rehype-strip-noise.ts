import type { Element, ElementContent, Root } from 'hast'
import { selectAll } from 'hast-util-select'
import type { Plugin } from 'unified'
import { isAdmonitionTitle } from '../read/read-admonition.ts'
import { powerMarks } from '../read/read-inline.ts'
import { checkSelector } from '../rules/check-selector.ts'
import { compileRules, matchesRules } from '../rules/compile-rules.ts'
import { alternativeOf } from '../tree/alternative.ts'
import { below } from '../tree/below.ts'
import { elementsIn } from '../tree/children.ts'
import { isElement, textNode } from '../tree/element.ts'
import { enclose, markIndices } from '../tree/indices.ts'
import { annotate } from '../tree/properties.ts'
import { isWord, textLength } from '../tree/short-text.ts'
import { isHeadingOrTerm, isTag } from '../tree/tags.ts'
import { textOf } from '../tree/text-of.ts'
import { isContents, listsOwnSections, noiseReasonBy } from './noise-reason.ts'
import { linkedLength, stripPageEnds } from './page-ends.ts'
import { readButtons } from './read-button.ts'
import { keepsText, readMark } from './read-mark.ts'
import { type Removal, removalOf } from './removal.ts'
import { replaceFormulas } from './replace-formulas.ts'

/** Options of {@link rehypeStripNoise}. */
export interface StripNoiseOptions {
  /** CSS selector of further elements to remove. */
  remove?: string
  /** Record removed elements in the file's `data.removals`. */
  debug?: boolean
}

/**
 * Remove everything that is not content: navigation, permalinks, copy buttons, hidden elements, and
 * tables of contents unless they are most of the page.
 */
export const rehypeStripNoise: Plugin<[StripNoiseOptions?], Root> = (options) => (root, file) => {
  const removals: Removal[] = file.data.removals ?? []
  const { remove, debug } = options ?? {}
  if (debug) file.data.removals = removals
  const unwanted = new Set(remove ? selectAll(checkSelector(remove), root) : [])
  const noiseReason = noiseReasonBy(file.data.profile?.noise)
  const rules = file.data.profile?.contents
  const isListing = rules && matchesRules(compileRules(rules))
  const contents: { parent: Root | Element; list: Element }[] = []
  let titlesSeen = 0
  strip(root)
  stripContents()
  stripPageEnds(root, (parent, child, rule) => removeChild(parent, child, 'noise', rule))

  function strip(node: Root | Element, isInTitle = false): void {
    replaceFormulas(node)
    markIndices(node)
    if (isInTitle || (node.type === 'element' && isVerbatim(node))) markPowers(node)
    readButtons(node, isInTitle)
    const children = node.children as ElementContent[]
    let keptCount = 0
    for (const child of children) if (isKept(child, node)) children[keptCount++] = child
    if (keptCount < children.length) children.length = keptCount
    for (const child of elementsIn(node)) {
      // A listing that a form shows.
      if (child.tagName === 'textarea') child.tagName = 'pre'
      if (isContents(child) || isListing?.(child) || (titlesSeen < 2 && listsOwnSections(child)))
        contents.push({ parent: node, list: child })
      else if (isHeadingOrTerm(child)) stripTitle(child)
      else if (!isCell(child) || !readMark(child, noiseReason)) strip(child, isInTitle)
    }
  }

  /** A rule by name, or for permalinks, must not remove the whole text of a heading or term. */
  function stripTitle(title: Element): void {
    titlesSeen++
    if (!keepsText(title, noiseReason))
      for (const element of below(title))
        if (isOverruled(noiseReason(element)) && isWord.test(textOf(element)))
          annotate(element, { isContent: true })
    writeImages(title)
    strip(title, true)
  }

  function isKept(child: ElementContent, parent: Root | Element): boolean {
    if (child.type !== 'element') return child.type === 'text'
    if (unwanted.has(child)) return !record('selector', remove ?? '', child)
    const reason = noiseReason(child)
    if (reason === undefined || (reason === 'hidden' && isAdmonitionTitle(child, parent)))
      return true
    return !record('noise', reason, child)
  }

  function stripContents(): void {
    if (contents.length === 0) return
    const sum = (lengthOf: (list: Element) => number) =>
      contents.reduce((length, { list }) => length + lengthOf(list), 0)
    const listedLength = sum((list) => textLength(textOf(list)))
    const outside = textLength(textOf(root)) - listedLength
    const prose = outside - linkedLength(root) + sum(linkedLength)
    if (listedLength > outside || (prose < minRepeatedLength && listedLength > prose)) return
    for (const { parent, list } of contents)
      removeChild(parent, list, 'contents', 'table of contents')
  }

  function removeChild(parent: Root | Element, child: Element, step: Step, rule: string): void {
    parent.children = parent.children.filter((sibling) => sibling !== child) as Element['children']
    record(step, rule, child)
  }

  function record(step: Step, rule: string, element: Element): true {
    if (debug) removals.push(removalOf(step, rule, element))
    return true
  }
}

type Step = Removal['step']

const isVerbatim = isTag('code pre')

/** Marks exponents where text is written as it is: in running text they may be marks of notes. */
function markPowers({ children }: Root | Element): void {
  for (const [at, child] of children.entries()) {
    const before = children[at - 1]
    if (isElement(child, 'sup') && before?.type !== 'doctype')
      enclose(child, powerMarks(child, before ? textOf(before) : ''))
  }
}

/** The words of images in a title are words of it, unless it has them too, or they name a logo. */
function writeImages(title: Element): void {
  const words = textOf(title).toLowerCase()
  for (const parent of [title, ...below(title)])
    parent.children = parent.children.map((child) => {
      const alternative = isElement(child, 'img') ? alternativeOf(child) : undefined
      const isSaid = alternative === undefined || words.includes(alternative.toLowerCase())
      return isSaid || /\blogo$/i.test(alternative) ? child : textNode(alternative)
    })
}

const isCell = isTag('dd li td th')
/**
 * Reasons by name, which can be overruled; hidden elements and buttons are never part of a title.
 */
const isOverruled = (reason: string | undefined): boolean =>
  reason !== undefined && (reason === 'permalink' || /[.#]/.test(reason))

/** Characters without white space; a shorter page consists of its contents. */
const minRepeatedLength = 300
