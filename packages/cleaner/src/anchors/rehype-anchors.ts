import type { Element, ElementContent, Root } from 'hast'
import type { Plugin } from 'unified'
import { attempt } from '#base/attempt'
import { letters } from '#base/letters'
import { hidingOf, isPermalink } from '../noise/noise-reason.ts'
import { below, hasBelow } from '../tree/below.ts'
import { element, isElement, textNode } from '../tree/element.ts'
import {
  annotate,
  classesOf,
  fragmentOf,
  fragmentsIn,
  hasClass,
  stringProperty,
} from '../tree/properties.ts'
import { isBlank, isWord, shortText } from '../tree/short-text.ts'
import { isBlock, isHeading, isLink, isTag } from '../tree/tags.ts'
import { lineOf } from '../tree/text-of.ts'
import { wordsOf } from '../tree/word-lists.ts'
import { levelBelow, nextElement, ReferenceEntries } from './reference-entries.ts'
import { defineItems, RepeatedLabels, RepeatedStarts } from './repeated-starts.ts'

declare module 'vfile' {
  interface DataMap {
    listedTitles: ListedTitles
  }
}

declare module 'hast' {
  interface ElementData {
    /** Other fragments of this heading or term. */
    aliases?: string[]
  }
}

/** Blocks that a fragment before them may name, and content that has no sections. */
const mayBeTitled = isTag('div p table')
const isBox = isTag('dl table')
const hasNoSections = isTag('blockquote dd dl li table')
/** Classes of index marks, which precede a heading only by chance. */
const indexMarks = wordsOf('indexterm')

/**
 * Give every heading and term its fragment, wherever the page has it: a permalink, its own id, the
 * section around it, an anchor before or in it. Further fragments become `data.aliases`. A block
 * that begins with the name of its fragment gets a heading. Must run before permalinks are stripped.
 */
export const rehypeAnchors: Plugin<[], Root> = () => (root, file) => {
  /** Fragments since the last text; they belong to the next heading. */
  let pending: string[] = []
  /** Fragments of the ancestors that have no heading yet, the innermost last. */
  const around: (string | undefined)[] = []
  let isItem = false
  const entries = new ReferenceEntries(root)
  const labels = new RepeatedLabels()
  const starts = new RepeatedStarts()
  walk(root)
  labels.apply()
  for (const { heading, marks } of starts.apply()) anchor(heading, marks, [])

  function walk(node: Root | Element): void {
    // By index: an iterator of entries is a quarter of the garbage here.
    for (let at = 0; at < node.children.length; at++) {
      const child = node.children[at] as ElementContent
      if (child.type === 'text' && pending.length > 0 && !isBlank(child)) pending = []
      if (child.type !== 'element') continue
      if (child.tagName === 'dt') {
        anchor(child, [...groupFragments(node), ...marksOf(child, pending)], [])
        labels.note(child, node)
        pending = []
      } else if (isHeading(child)) heading(child, nextElement(node, at))
      else if (!isItem && titles(node, at, child)) pending = []
      else if (!isItem && starts.note(node, at, pending, around.length, entries.headings)) {
        if (isBox(child)) enter(child)
        pending = []
      } else if (child.tagName === 'pre' || (child.tagName === 'p' && hasOwnText(child)))
        // Running text discards pending fragments; its content does not matter.
        pending = []
      else enter(child)
    }
  }

  function heading(element: Element, next: Element | undefined): void {
    const title = entries.place(element, next)
    anchor(element, pending, claim())
    if (title !== undefined) rename(element, title)
    labels.note(element, entries.headings.at(-2))
    pending = []
  }

  /** Write the title of a block as a heading before it; a block that is its title becomes one. */
  function titles({ children }: Root | Element, at: number, block: Element): boolean {
    const marks = [...pending, fragmentOf(block) ?? []].flat()
    const listed = file.data.listedTitles?.headingFor(block, marks)
    const title = listed || !mayBeTitled(block) ? undefined : titleOf(block, marks)
    const heading =
      listed ?? (title && titleHeading(block, title, levelBelow(entries.headings.at(-1))))
    if (!heading) return false
    const own = title ? marks.filter((mark) => isNamed(title, mark)) : marks.toReversed()
    anchor(heading, [...own, ...pending], [])
    if (listed) entries.place(listed, undefined)
    if (heading !== block) children[at] = listed ?? element('div', [heading, block])
    return true
  }

  function enter(element: Element): void {
    const mark = fragmentOf(element)
    if (element.tagName === 'ul') defineItems(element)
    // A hidden text is not between a fragment and what it names.
    const before = pending.length > 0 && hidingOf(element) ? [...pending] : undefined
    const wasItem = isItem
    isItem ||= hasNoSections(element)
    if (mark) pending = hasClass(element, indexMarks) ? [...pending, mark] : [mark, ...pending]
    around.push(mark)
    entries.within(element, () => walk(element))
    if (before) pending = before
    around.pop()
    isItem = wasItem
  }

  /** The first heading of an element takes the element's fragment, whatever precedes it. */
  function claim(): string[] {
    const marks = around.toReversed().filter((mark) => mark !== undefined)
    around.fill(undefined)
    return marks
  }
}

/** A block that is its title, as a heading, or a new heading; none if the block has headings. */
function titleHeading(block: Element, title: string, level: number): Element | undefined {
  if (hasBelow(block, isHeading)) return undefined
  const isTitle = !hasBelow(block, isBlock) && shortText(block, maxTitle) !== undefined
  const heading = isTitle ? block : element('div', [textNode(title)])
  heading.tagName = `h${level}`
  return heading
}

/** Give a heading another title; without a fragment, its former words still lead to it. */
function rename(heading: Element, title: string): void {
  if (fragmentOf(heading) === undefined)
    annotate(heading, { aliases: [lineOf(heading).toLowerCase()] })
  heading.children = [textNode(title)]
}

/** At most this many elements and characters of a block precede its name. */
const maxBefore = { elements: 12, characters: 20 }
const maxTitle = 100
const isMarking = isTag('b code strong tt')

/** The text at the beginning of a block that stands out and is one of the names. */
function titleOf(block: Element, names: readonly string[]): string | undefined {
  let { elements, characters } = maxBefore
  return names.some(Boolean) ? search(block) : undefined

  function search({ children }: Element): string | undefined {
    for (const child of children) {
      if (child.type === 'text') characters -= child.value.trim().length
      if (child.type !== 'element' || characters < 0 || elements-- <= 0) continue
      const text = isMarking(child) ? shortText(child, maxTitle) : undefined
      if (text !== undefined && names.some((name) => isNamed(text, name))) return text
      const title = search(child)
      if (title !== undefined) return title
    }
    return undefined
  }
}

/** A `div` may group a term with its description. */
const groupFragments = (node: Root | Element): string[] =>
  [(isElement(node, 'div') && fragmentOf(node)) || []].flat()

const marksOf = (term: Element, marks: readonly string[]): string[] =>
  marks.filter((mark) => isNamed(lineOf(term), mark))

const isNamed = (text: string, mark: string): boolean =>
  letters(text) !== '' && letters(text) === letters(mark)

const hasOwnText = ({ children }: Element): boolean =>
  children.some((child) => child.type === 'text' && !isBlank(child))

/** `before` and `around`: the nearest fragment first. */
function anchor(element: Element, before: readonly string[], around: readonly string[]): void {
  const links = [...below(element)].filter((child) => isLink(child) && isPermalink(child))
  const permalink = links.map(targetOf).find((target) => target !== undefined)
  const fragments = [permalink, fragmentOf(element)].filter((mark) => mark !== undefined)
  const [id, ...aliases] = new Set([...fragments, ...before, ...fragmentsIn(element), ...around])
  if (id === undefined) return
  element.properties['id'] = id
  if (aliases.length > 0) annotate(element, { aliases })
}

function targetOf(link: Element): string | undefined {
  const href = stringProperty(link, 'href') ?? ''
  const fragment = href.slice(href.indexOf('#') + 1)
  return attempt(() => decodeURIComponent(fragment) || undefined, fragment)
}

/** A page with fewer headings may have other titles, if so many links of its contents say them. */
const maxHeadings = 2
const minLinks = 5
const maxListed = 100
const mayBeTitle = isTag('b div p span strong td')
const numberedClass = /^(\D*)([1-6])(\D*)$/
/** `2.3 Use`, `2.3. Use`. */
const number = /^(\d+(?:\.\d+)*)?\.?\s*/

/** Reads the contents of a page, which may lie outside of its main region. */
export const rehypeListedTitles: Plugin<[], Root> = () => (root, file) => {
  file.data.listedTitles = new ListedTitles(root)
}

interface ListedTitle {
  title: string
  depth: number
}

/**
 * The titles of a page that are no headings, but that links of its contents say as they are. Their
 * depth is that of their numbers, if they have some.
 */
class ListedTitles {
  readonly #byFragment = new Map<string, ListedTitle>()
  /** By a class without its digit: what is added to the digit for the depth. */
  readonly #offsets = new Map<string, number>()

  constructor(root: Root) {
    let headings = 0
    for (const child of below(root)) {
      if (isHeading(child) && ++headings > maxHeadings) break
      if (isLink(child)) this.#add(child)
    }
    if (headings > maxHeadings || this.#byFragment.size < minLinks) this.#byFragment.clear()
  }

  #add(link: Element): void {
    const [, fragment] = /^#(.+)$/.exec(stringProperty(link, 'href') ?? '') ?? []
    const text = fragment === undefined ? undefined : shortText(link, maxListed)
    if (fragment === undefined || !text || this.#byFragment.has(fragment)) return
    const [matched, numbers = '1'] = number.exec(text) ?? ['']
    const title = text.slice(matched.length)
    if (!isWord.test(title)) return
    this.#byFragment.set(fragment, { title, depth: numbers.split('.').length })
  }

  /** The heading that a block stands for, if one of its fragments is that of its text. */
  headingFor(block: Element, marks: readonly string[]): Element | undefined {
    if (this.#byFragment.size === 0 || marks.length === 0 || !mayBeTitle(block)) return undefined
    const title = shortText(block, maxListed + 20)?.replace(number, '')
    if (!title) return undefined
    const listed = marks.flatMap((mark) => this.#byFragment.get(mark) ?? [])
    const match = listed.find((one) => letters(one.title) === letters(title))
    const digits = classesOf(block).flatMap((name) => {
      const [, before, digit, after] = numberedClass.exec(name) ?? []
      return digit === undefined ? [] : [{ form: `${before}#${after}`, digit: Number(digit) }]
    })
    // Contents may list the upper titles only: `section1-header` is one, so `section2-header` is below.
    if (match) for (const { form, digit } of digits) this.#offsets.set(form, match.depth - digit)
    const [depth] = match
      ? [match.depth]
      : digits.flatMap(({ form, digit }) => {
          const offset = this.#offsets.get(form)
          return offset === undefined ? [] : [digit + offset]
        })
    return depth === undefined
      ? undefined
      : element(`h${Math.min(Math.max(depth, 1) + 1, 6)}`, [textNode(match?.title ?? title)])
  }
}
