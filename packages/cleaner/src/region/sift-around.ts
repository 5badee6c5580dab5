import type { Element, ElementContent } from 'hast'
import { furnitureKind } from '../noise/furniture-kind.ts'
import type { NoiseReason } from '../noise/noise-reason.ts'
import { isTitledNotes } from '../read/read-notes.ts'
import { blockTags } from '../tree/block-tags.ts'
import { element, textNode } from '../tree/element.ts'
import { hasBelow } from '../tree/has-below.ts'
import { shortText } from '../tree/short-text.ts'
import { lineOf } from '../tree/text-of.ts'
import type { Prose } from './measure-prose.ts'

/** What a page says of its content. */
interface Marks {
  /** Title of the document. */
  title: string
  /** The page marks the region: lists of links and labels outside of it are not content. */
  isMarked: boolean
}

export interface Sifted {
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
  const sifter = new Sifter(body, region, prose, noiseReason, marks)
  sifter.sift(body)
  return sifter
}

class Sifter implements Sifted {
  readonly content: Element[] = []
  readonly removed: { rule: string; element: Element }[] = []
  readonly leftOut: Element[] = []
  readonly #region: Element
  readonly #around: ReadonlySet<Element>
  readonly #prose: Prose
  readonly #noiseReason: NoiseReason
  readonly #marks: Marks
  readonly #hasTitle: boolean
  readonly #regionProse: number
  #isAfter = false

  constructor(
    body: Element,
    region: Element,
    prose: Prose,
    noiseReason: NoiseReason,
    marks: Marks,
  ) {
    this.#region = region
    this.#around = ancestorsOf(body, region)
    this.#prose = prose
    this.#noiseReason = noiseReason
    this.#marks = marks
    this.#regionProse = prose.of.get(region)?.prose ?? 0
    this.#hasTitle = isTitle(region) || hasBelow(region, isTitle)
  }

  sift(node: ElementContent): void {
    if (node.type === 'text' && isWord.test(node.value))
      this.#keep(element('p', [textNode(node.value)]))
    if (node.type !== 'element') return
    if (node === this.#region) {
      this.#isAfter = true
      if (node.tagName === 'body') this.#siftBody(node)
      this.content.push(node)
    } else if (this.#around.has(node)) for (const child of node.children) this.sift(child)
    else this.#siftOutside(node)
  }

  /** Of a body without another region, only boxes that are called furniture go. */
  #siftBody(body: Element): void {
    body.children = body.children.filter((child) => {
      const isBox = child.type === 'element' && boxes.has(child.tagName)
      const rule = isBox ? furnitureKind(child, this.#prose.of.get(child), true) : undefined
      if (!isBox || rule === undefined || !named.has(rule)) return true
      this.removed.push({ rule, element: child })
      return false
    })
  }

  #siftOutside(node: Element): void {
    const rule = this.#noiseReason(node) ?? (isTitledNotes(node) ? undefined : this.#kindOf(node))
    if (rule !== undefined) this.removed.push({ rule, element: node })
    else if (isBox(node)) this.#siftBox(node)
    else this.#keep(node)
  }

  #siftBox(box: Element): void {
    const { content, removed } = this
    const [kept, gone] = [content.length, removed.length]
    for (const child of box.children) this.sift(child)
    // A heading of nothing but furniture is a part of it.
    const isFurniture = content.slice(kept).every(({ tagName }) => isSubheading.test(tagName))
    if (removed.length > gone && isFurniture)
      for (const title of content.splice(kept))
        removed.push({ rule: 'title of furniture', element: title })
  }

  #kindOf(node: Element): string | undefined {
    const weight = this.#prose.of.get(node)
    // Where links outweigh the text, they are what the page is for.
    const isIndex = weight !== undefined && weight.withLinks - weight.prose > this.#regionProse
    const mayList = !this.#marks.isMarked && (this.#isAfter || isIndex)
    const kind = furnitureKind(node, weight, mayList)
    return kind ?? (this.#repeatsTitle(node) ? 'title of the site' : undefined)
  }

  /** A part of the document's title, next to a region with a title of its own. */
  #repeatsTitle(node: Element): boolean {
    if (!this.#hasTitle && (!this.#isAfter || isTitle(node))) return false
    const text = shortText(node, maxLabel)
    return text !== undefined && text !== '' && this.#marks.title.includes(text)
  }

  #keep(node: Element): void {
    const text = lineOf(node)
    if (!isWord.test(text)) return
    // What consists of noise only is for the next step, which removes it by its rules.
    const isNoise = this.#prose.of.get(node)?.withLinks === 0
    const isLabel =
      !isHeading.test(node.tagName) && !isSentence.test(text) && text.length <= maxName
    if (this.#marks.isMarked && isLabel && !isNoise && !isTitledNotes(node)) this.leftOut.push(node)
    else this.content.push(node)
  }
}

/** A box without text of its own, whose parts are sorted one by one. */
const isBox = (node: Element): boolean =>
  boxes.has(node.tagName) &&
  !isTitledNotes(node) &&
  node.children.every((child) => child.type !== 'text' || !isWord.test(child.value)) &&
  node.children.some((child) => child.type === 'element' && blockTags.has(child.tagName))

const boxes = new Set(['article', 'aside', 'center', 'div', 'form', 'header', 'main', 'section'])
/** Kinds of furniture that are known by a name, or by what they ask. */
const named = new Set(['box of the site', 'consent', 'links'])
const isWord = /[\p{L}\p{N}]/u
const isSubheading = /^h[2-6]$/
const isHeading = /^h[1-6]$/
const isTitle = ({ tagName }: Element): boolean => tagName === 'h1'
/** In characters; a longer text is no name of a site. */
const maxLabel = 100
/** In characters; a longer text is no name. */
const maxName = 40
const isSentence = /[.!?。！？…:]$/

function ancestorsOf(body: Element, region: Element): ReadonlySet<Element> {
  const around = new Set<Element>()
  search(body)
  return around

  function search(node: Element): boolean {
    if (node === region) return true
    const holds = node.children.some((child) => child.type === 'element' && search(child))
    if (holds) around.add(node)
    return holds
  }
}
