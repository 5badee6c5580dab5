import type { Element, Root } from 'hast'
import { hasBelow } from '../tree/below.ts'
import { isElement } from '../tree/element.ts'
import { hasClass } from '../tree/properties.ts'
import { shortText } from '../tree/short-text.ts'
import { isHeading } from '../tree/tags.ts'
import { lineOf } from '../tree/text-of.ts'
import { wordsOf } from '../tree/word-lists.ts'

const entryClasses = wordsOf('refentry')
const titleClasses = wordsOf('refentrytitle')

/** The part of a manual page that lists its names, and the parts after it. */
const nameTitles = /^(?:bezeichnung|name|names|nom|nombre|nome|名前|名称)$/i
const partTitles = /^(?:description|synopsis|syntax|usage)$/i
/** Names before the dash of `f_one, f_two — open a box`; at most three words each. */
const namesBeforeDash =
  /^((?:[^\s,]+(?: [^\s,]+){0,2}, ?){0,20}[^\s,]+(?: [^\s,]+){0,2}) (?:[—–-]|--) /
const maxTitle = 30
const maxPurpose = 1_000

interface Entry {
  /** Level of its title; absent before it. */
  level?: number
  /** What the levels of the headings after the title are raised by, so that they are below it. */
  shift?: number
  isBox: boolean
}

/**
 * The entries of a reference, such as DocBook's `refentry` or a manual page. The first heading is
 * the title of the whole entry, even if it says «Name».
 */
export class ReferenceEntries {
  /** The last heading and those that it is below, outermost first. */
  headings: Element[] = []
  readonly #root: Root
  #open: Entry | undefined
  #hasParts: boolean | undefined

  constructor(root: Root) {
    this.#root = root
  }

  /** Walk an element, which may be the box of an entry. */
  within(element: Element, walk: () => void): void {
    const outer = this.#open
    const isBox = hasClass(element, entryClasses)
    if (isBox) this.#open = { isBox }
    walk()
    if (isBox) this.#open = outer
  }

  /** Set the level of a heading; the title of an entry that it opens. */
  place(heading: Element, next: Element | undefined): string | undefined {
    const above = () => this.headings.filter((previous) => levelOf(previous) < levelOf(heading))
    const title = this.#place(heading, next, above())
    // Placing may change the level.
    this.headings = [...above(), heading]
    return title
  }

  #place(heading: Element, next: Element | undefined, above: readonly Element[]) {
    const level = levelOf(heading)
    const open = this.#open
    if (open?.isBox && open.level === undefined) {
      open.level = level
      const title = lineOf(heading)
      const isTitle = hasBelow(heading, (child) => hasClass(child, titleClasses))
      const names = isTitle ? undefined : namesIn(next)
      return names?.split(', ').some((name) => title.includes(name)) ? undefined : names
    }
    const names = open?.isBox ? undefined : this.#names(heading, next, above)
    if (open?.level !== undefined && !names && (open.isBox || level >= open.level)) {
      open.shift ??= Math.max(open.level + 1 - level, 0)
      heading.tagName = `h${Math.min(level + open.shift, 6)}`
    } else if (!open?.isBox) this.#open = names ? { level, isBox: false } : undefined
    return names
  }

  /** Outside of boxes: what «Name» stands for, if other parts follow and no title above says it. */
  #names(heading: Element, next: Element | undefined, above: readonly Element[]) {
    if (!nameTitles.test(shortText(heading, maxTitle) ?? '')) return undefined
    const names = namesIn(next)
    const first = names?.split(', ')[0] ?? ''
    // `rope(3)` is the title of a manual page, of which «Name» is a part.
    if (above.map(lineOf).some((title) => title.includes(first) || /^\S+\(\d\w*\)$/.test(title)))
      return undefined
    const isPart = (part: Element) =>
      isHeading(part) && partTitles.test(shortText(part, maxTitle) ?? '')
    this.#hasParts ??= hasBelow(this.#root, isPart)
    return this.#hasParts ? names : undefined
  }
}

const levelOf = ({ tagName }: Element): number => Number(tagName.slice(1))

const namesIn = (purpose: Element | undefined): string | undefined =>
  purpose && namesBeforeDash.exec(shortText(purpose, maxPurpose) ?? '')?.[1]

/** The level of a heading below another, or below the title of the page. */
export const levelBelow = (above: Element | undefined): number =>
  Math.min((above ? levelOf(above) : 1) + 1, 6)

export const nextElement = ({ children }: Root | Element, at: number): Element | undefined => {
  let next = at + 1
  while (next < children.length && !isElement(children[next])) next++
  return children[next] as Element | undefined
}
