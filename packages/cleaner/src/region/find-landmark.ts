import type { Element } from 'hast'
import { compileRules, type RuleTest } from '../rules/compile-rules.ts'
import { hasBelow } from '../tree/has-below.ts'
import { classesOf, stringProperty } from '../tree/properties.ts'
import type { Prose } from './measure-prose.ts'

/** Places where pages say that the content is, the most telling first. */
const landmarks: readonly RuleTest[] = [
  (element) => element.tagName === 'main',
  (element) => stringProperty(element, 'role') === 'main',
  (element) => element.tagName === 'article',
  (element) => ['main-content', 'mw-content-text'].includes(stringProperty(element, 'id') ?? ''),
  (element) => classesOf(element).some((name) => ['markdown-body', 'rst-content'].includes(name)),
]

/** A landmark with less than this share of the prose is not where the content is. */
const leastShare = 0.4

/**
 * The element that the generator (`content`) or the page itself marks as its content, if it holds
 * a fair share of the prose.
 */
export function findLandmark(
  body: Element,
  prose: Prose,
  content: readonly string[] = [],
): Element | undefined {
  const whole = prose.of.get(body) ?? 0
  for (const isLandmark of [...content.map((rule) => compileRules([rule])), ...landmarks]) {
    let best: Element | undefined
    hasBelow(body, (element) => {
      if (isLandmark(element) && weight(element) > weight(best)) best = element
      return false
    })
    if (best && weight(best) >= whole * leastShare) return best
  }
  return undefined

  function weight(element: Element | undefined): number {
    return element ? (prose.of.get(element) ?? 0) : 0
  }
}
