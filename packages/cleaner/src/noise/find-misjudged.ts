import type { Element } from 'hast'
import { elementsIn } from '../tree/children.ts'
import { textLength } from '../tree/short-text.ts'
import { wordsOf } from '../tree/word-lists.ts'
import type { NoiseReason } from './noise-reason.ts'

declare module 'hast' {
  interface ElementData {
    /** The element contains most of the page, so no rule treats it as noise. */
    isContent?: boolean
  }
}

/** Characters without white space; below this, a box may well be noise. */
const minProse = 1000
const minParagraphs = 3
/** A box with this many times more prose than everything that is kept is not noise. */
const timesKept = 2
/** Boxes that may contain most of the text on a page without content. */
const overlay = /cookie|consent|dialog|modal/i

/**
 * The element with the most prose among those that a rule matches by name or attribute, if it is
 * most of the page: a name can have an unusual meaning, but a whole page is not noise. `kept`:
 * characters of prose outside of noise; if 0, the longest box is the page, however short.
 */
export function findMisjudged(
  body: Element,
  noiseReason: NoiseReason,
  keptProse: number,
): { element: Element; rule: string } | undefined {
  let misjudged: ReturnType<typeof findMisjudged>
  let most = keptProse === 0 ? 1 : Math.max(minProse, keptProse * timesKept)
  search(body)
  return misjudged

  function search(box: Element): void {
    for (const element of elementsIn(box)) {
      const rule = noiseReason(element)
      if (rule === undefined) search(element)
      if (rule === undefined || !isByName(rule)) continue
      const { prose, paragraphs } = measure(element)
      if (prose < most || (keptProse > 0 && paragraphs < minParagraphs)) continue
      most = prose + 1
      misjudged = { element, rule }
    }
  }
}

/** Rules by tag name are reliable: pages are not written into a footer element. */
const isByName = (rule: string): boolean =>
  (/[.#]/.test(rule) || rule === 'hidden' || rule.startsWith('role=')) && !overlay.test(rule)

const blocks = wordsOf('h1 h2 h3 p pre td dd')
const unread = wordsOf('a button nav noscript script select style svg')

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
