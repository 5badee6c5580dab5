import type { Element } from 'hast'
import type { RuleTest } from '../rules/compile-rules.ts'

const invisible = new Set(['script', 'style', 'template', 'noscript', 'svg'])

export interface Prose {
  /** Characters below an element, blanks aside, that are neither noise nor part of a link. */
  readonly of: ReadonlyMap<Element, number>
  readonly bodyLength: number
  readonly scripts: number
}

/** Weigh every element of the body once by the prose it holds. */
export function measureProse(body: Element, isNoise: RuleTest): Prose {
  const of = new Map<Element, number>()
  const total = { bodyLength: 0, scripts: 0 }

  function weigh(element: Element, counts: boolean): number {
    let weight = 0
    for (const child of element.children) {
      if (child.type === 'text') {
        const length = child.value.replace(/\s+/g, '').length
        total.bodyLength += length
        if (counts) weight += length
      } else if (child.type === 'element') {
        if (child.tagName === 'script') total.scripts++
        if (invisible.has(child.tagName)) continue
        weight += weigh(child, counts && child.tagName !== 'a' && !isNoise(child))
      }
    }
    if (counts) of.set(element, weight)
    return weight
  }

  weigh(body, true)
  return { of, ...total }
}
