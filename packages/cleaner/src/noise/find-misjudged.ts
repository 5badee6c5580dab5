import type { Element } from 'hast'
import { textLength } from '../tree/text-length.ts'
import type { NoiseReason } from './noise-reason.ts'

declare module 'hast' {
  interface ElementData {
    /** Most of the page is in it: no rule makes it noise. */
    isContent?: boolean
  }
}

export interface Misjudged {
  element: Element
  /** The rule that names it. */
  rule: string
}

/** Prose, in characters without blanks, below which a box may as well be one. */
const minProse = 1000
const minParagraphs = 3
/** How much more prose than all that is kept is too much to leave out. */
const timesKept = 2
/** Boxes that may say a lot on a page that says nothing yet. */
const overlay = /cookie|consent|dialog|modal/i

/**
 * The element with the most prose among those that a rule takes for noise by a name or attribute,
 * if it is most of the page: a name can mean something else than usual, a whole page cannot be
 * noise. `kept`: characters of prose outside of noise; without any, the longest box is the page,
 * however short.
 */
export function findMisjudged(
  body: Element,
  noiseReason: NoiseReason,
  kept: number,
): Misjudged | undefined {
  let found: Misjudged | undefined
  let most = kept === 0 ? 1 : Math.max(minProse, kept * timesKept)
  search(body)
  return found

  function search(element: Element): void {
    for (const child of element.children) {
      if (child.type !== 'element') continue
      const rule = noiseReason(child)
      if (rule === undefined) search(child)
      else if (isByName(rule)) weigh(child, rule)
    }
  }

  function weigh(element: Element, rule: string): void {
    const { prose, paragraphs } = measure(element)
    if (prose < most || (kept > 0 && paragraphs < minParagraphs)) return
    most = prose + 1
    found = { element, rule }
  }
}

/** Rules by tag name mean what they say: nobody writes a page into its footer. */
const isByName = (rule: string): boolean =>
  (/[.#]/.test(rule) || rule === 'hidden' || rule.startsWith('role=')) && !overlay.test(rule)

const blocks = new Set(['h1', 'h2', 'h3', 'p', 'pre', 'td', 'dd'])
const unread = new Set(['a', 'button', 'nav', 'noscript', 'script', 'select', 'style', 'svg'])

function measure(element: Element): { prose: number; paragraphs: number } {
  let prose = 0
  let paragraphs = 0
  for (const child of element.children) {
    if (child.type === 'text') prose += textLength(child.value)
    else if (child.type === 'element' && !unread.has(child.tagName)) {
      const below = measure(child)
      prose += below.prose
      paragraphs += below.paragraphs + (blocks.has(child.tagName) ? 1 : 0)
    }
  }
  return { prose, paragraphs }
}
