import type { Element, Root } from 'hast'
import type { Plugin } from 'unified'
import { letters } from '#base/letters'
import { below } from '../tree/below.ts'
import { element, textNode } from '../tree/element.ts'
import { classesOf, stringProperty } from '../tree/properties.ts'
import { shortText } from '../tree/short-text.ts'
import { isHeading, isLink, isTag } from '../tree/tags.ts'

/** A page with fewer headings may have other titles, if so many links of its contents say them. */
const maxHeadings = 2
const minLinks = 5
const maxTitle = 100
const mayBeTitle = isTag('b div p span strong td')
const numberedClass = /^(\D*)([1-6])(\D*)$/
/** `2.3 Use`, `2.3. Use`. */
const number = /^(\d+(?:\.\d+)*)?\.?\s*/

declare module 'vfile' {
  interface DataMap {
    listedTitles: ListedTitles
  }
}

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
    const text = fragment === undefined ? undefined : shortText(link, maxTitle)
    if (fragment === undefined || !text || this.#byFragment.has(fragment)) return
    const [matched, numbers = '1'] = number.exec(text) ?? ['']
    const title = text.slice(matched.length)
    if (letters(title) === '') return
    this.#byFragment.set(fragment, { title, depth: numbers.split('.').length })
  }

  /** The heading that a block stands for, if one of its fragments is that of its text. */
  headingFor(block: Element, marks: readonly string[]): Element | undefined {
    if (this.#byFragment.size === 0 || marks.length === 0 || !mayBeTitle(block)) return undefined
    const title = shortText(block, maxTitle + 20)?.replace(number, '')
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
