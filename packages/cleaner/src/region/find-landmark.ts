import type { Element } from 'hast'
import { compileRules, matchesRules, type RuleTest } from '../rules/compile-rules.ts'
import type { Prose } from './measure-prose.ts'

/** Places where pages say that the content is, the most telling first. */
const landmarks: readonly RuleTest[] = [
  rule('main'),
  (element) => element.properties['role'] === 'main',
  rule('article'),
  rule('#main-content', '#mw-content-text'),
  rule('.markdown-body', '.rst-content'),
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
  const least = (prose.of.get(body) ?? 0) * leastShare
  for (const isLandmark of [...content.map((text) => rule(text)), ...landmarks]) {
    let best: Element | undefined
    let most = -1
    for (const [element, weight] of prose.of)
      if (weight >= least && weight > most && isLandmark(element)) {
        best = element
        most = weight
      }
    if (best) return best
  }
  return undefined
}

function rule(...texts: string[]): RuleTest {
  return matchesRules(compileRules(texts))
}
