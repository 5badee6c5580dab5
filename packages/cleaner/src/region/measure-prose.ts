import type { Element } from 'hast'
import type { Weight } from '../noise/furniture-kind.ts'
import type { RuleTest } from '../rules/compile-rules.ts'
import { textLength } from '../tree/short-text.ts'
import { textOf } from '../tree/text-of.ts'
import { wordsOf } from '../tree/word-lists.ts'

const invisible = wordsOf('script style template noscript svg')

/**
 * Elements that contain text but are never the content of a page. `h1` is missing: it may mark
 * where the content begins.
 */
const leaves = wordsOf(
  `a abbr b br caption code dd dfn dt em figcaption h2 h3 h4 h5 h6 i img kbd legend li p pre s
  samp small span strong sub summary sup th tt u var`,
)

export interface Prose {
  /** By element, except those that are never the content. */
  readonly of: ReadonlyMap<Element, Weight>
  readonly bodyLength: number
  /** Characters in `pre` elements that are not noise. */
  readonly preLength: number
  readonly scripts: number
}

/** Measure the prose of every element of the body that may be the content. */
export function measureProse(body: Element, isNoise: RuleTest): Prose {
  const of = new Map<Element, Weight>()
  let bodyLength = 0
  let keptLength = 0
  let scripts = 0
  let preLength = 0

  function weigh(element: Element, isText: boolean, isProse: boolean): number {
    const before = keptLength
    let prose = 0
    for (const child of element.children)
      if (child.type === 'text') prose += count(textLength(child.value), isText, isProse)
      else if (child.type === 'element') prose += weighChild(child, isText, isProse)
    if (isProse && !leaves.has(element.tagName))
      of.set(element, { prose, withLinks: keptLength - before })
    return prose
  }

  function weighChild(child: Element, isText: boolean, isProse: boolean): number {
    if (child.tagName === 'script') scripts++
    if (invisible.has(child.tagName)) return 0
    if (child.tagName === 'pre') {
      const length = textLength(textOf(child))
      if (isText) preLength += length
      return count(length, isText, isProse)
    }
    const stays = isText && !isNoise(child)
    return weigh(child, stays, stays && isProse && child.tagName !== 'a')
  }

  function count(length: number, isText: boolean, isProse: boolean): number {
    bodyLength += length
    if (isText) keptLength += length
    return isProse ? length : 0
  }

  weigh(body, true, true)
  return { of, bodyLength, preLength, scripts }
}
