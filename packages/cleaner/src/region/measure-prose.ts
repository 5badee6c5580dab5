import type { Element } from 'hast'
import type { RuleTest } from '../rules/compile-rules.ts'
import { blockTags } from '../tree/block-tags.ts'
import { textLength } from '../tree/text-length.ts'
import { textOf } from '../tree/text-of.ts'

const invisible = new Set(['script', 'style', 'template', 'noscript', 'svg'])

export interface Prose {
  /**
   * By block-level element: characters below it, blanks aside, that are neither noise nor part of
   * a link.
   */
  readonly of: ReadonlyMap<Element, number>
  readonly bodyLength: number
  readonly scripts: number
}

/** Weigh every block of the body once by the prose it holds. */
export function measureProse(body: Element, isNoise: RuleTest): Prose {
  const of = new Map<Element, number>()
  let bodyLength = 0
  let scripts = 0

  function weigh(element: Element, counts: boolean): number {
    const { children, tagName } = element
    let weight = 0
    for (let index = 0; index < children.length; index++) {
      const child = children[index]
      if (child?.type === 'text') {
        const length = textLength(child.value)
        bodyLength += length
        if (counts) weight += length
      } else if (child?.type === 'element') weight += weighChild(child, counts)
    }
    if (counts && blockTags.has(tagName)) of.set(element, weight)
    return weight
  }

  function weighChild(child: Element, counts: boolean): number {
    if (child.tagName === 'script') scripts++
    if (invisible.has(child.tagName)) return 0
    if (child.tagName === 'pre') {
      const length = textLength(textOf(child))
      bodyLength += length
      return counts ? length : 0
    }
    return weigh(child, counts && child.tagName !== 'a' && !isNoise(child))
  }

  weigh(body, true)
  return { of, bodyLength, scripts }
}
