import type { Element } from 'hast'
import { compileRules, matchesRules, type RuleTest } from '../rules/compile-rules.ts'
import { hasBelow } from '../tree/has-below.ts'
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

/** What stands in other landmarks of the kind may be this much of the best: a teaser, a comment. */
const mostBeside = 0.25

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
    const found = [...prose.of].filter(([element]) => isLandmark(element))
    const [best, most] = found.reduce(
      (heavier, candidate) => (candidate[1] > heavier[1] ? candidate : heavier),
      [body, -1],
    )
    // Several of a kind, side by side, are parts of a content that is around them all.
    const others =
      found.length > 1
        ? found.filter(([element]) => element !== best && !isAround(best, element))
        : []
    const beside = others.reduce((sum, [, weight]) => sum + weight, 0)
    if (most >= least && beside <= most * mostBeside) return best
  }
  return undefined
}

/** True if one of two elements lies in the other. */
function isAround(one: Element, other: Element): boolean {
  return hasBelow(one, (child) => child === other) || hasBelow(other, (child) => child === one)
}

function rule(...texts: string[]): RuleTest {
  return matchesRules(compileRules(texts))
}
