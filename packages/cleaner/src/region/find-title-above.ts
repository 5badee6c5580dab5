import type { Element } from 'hast'
import type { RuleTest } from '../rules/compile-rules.ts'
import { hasBelow } from '../tree/has-below.ts'

/** The title of a page whose content begins below it: an `h1` before a region without one. */
export function findTitleAbove(
  body: Element,
  region: Element,
  isNoise: RuleTest,
): Element | undefined {
  if (region === body || isTitle(region) || hasBelow(region, isTitle)) return undefined
  let title: Element | undefined
  search(body)
  return title

  /** True once the region is reached. */
  function search(element: Element): boolean {
    for (const child of element.children) {
      if (child.type !== 'element') continue
      if (child === region) return true
      if (isTitle(child)) title = child
      else if (!isNoise(child) && search(child)) return true
    }
    return false
  }
}

const isTitle: RuleTest = ({ tagName }) => tagName === 'h1'
