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
  /** By block-level element: the same with the text of links. */
  readonly withLinks: ReadonlyMap<Element, number>
  readonly bodyLength: number
  readonly scripts: number
}

/** Weigh every block of the body once by the prose it holds. */
export function measureProse(body: Element, isNoise: RuleTest): Prose {
  const of = new Map<Element, number>()
  const withLinks = new Map<Element, number>()
  let bodyLength = 0
  let kept = 0
  let scripts = 0

  function weigh(element: Element, isText: boolean, isProse: boolean): number {
    const { children, tagName } = element
    const before = kept
    let weight = 0
    for (let index = 0; index < children.length; index++) {
      const child = children[index]
      if (child?.type === 'text') weight += count(textLength(child.value), isText, isProse)
      else if (child?.type === 'element') weight += weighChild(child, isText, isProse)
    }
    if (isProse && blockTags.has(tagName)) {
      of.set(element, weight)
      withLinks.set(element, kept - before)
    }
    return weight
  }

  function weighChild(child: Element, isText: boolean, isProse: boolean): number {
    if (child.tagName === 'script') scripts++
    if (invisible.has(child.tagName)) return 0
    if (child.tagName === 'pre') return count(textLength(textOf(child)), isText, isProse)
    const stays = isText && !isNoise(child)
    return weigh(child, stays, stays && isProse && child.tagName !== 'a')
  }

  function count(length: number, isText: boolean, isProse: boolean): number {
    bodyLength += length
    if (isText) kept += length
    return isProse ? length : 0
  }

  weigh(body, true, true)
  return { of, withLinks, bodyLength, scripts }
}
