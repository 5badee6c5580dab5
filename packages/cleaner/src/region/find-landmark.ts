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
  const kinds = [...content.map((text) => rule(text)), ...landmarks]
  const found: Found[][] = kinds.map(() => [])
  for (const [element, weight] of prose.of)
    for (let kind = 0; kind < kinds.length; kind++)
      if (kinds[kind]?.(element)) found[kind]?.push({ element, prose: weight.prose })
  const least = (prose.of.get(body)?.prose ?? 0) * leastShare
  for (const candidates of found) {
    const best = onlyOne(body, candidates)
    if (best && best.prose >= least) return best.element
  }
  return undefined
}

interface Found {
  element: Element
  prose: number
}

/** The heaviest, unless the others weigh too much for it to stand alone. */
function onlyOne(body: Element, candidates: readonly Found[]): Found | undefined {
  const [first, ...rest] = candidates
  if (!first || rest.length === 0) return first
  const best = rest.reduce((heavier, next) => (next.prose > heavier.prose ? next : heavier), first)
  // Several of a kind, side by side, are parts of a content that is around them all.
  const inLine = aroundAndIn(body, best.element)
  const beside = candidates
    .filter(({ element }) => !inLine.has(element))
    .reduce((sum, { prose }) => sum + prose, 0)
  return beside <= best.prose * mostBeside ? best : undefined
}

/** The element, what is in it, and what it is in. */
function aroundAndIn(body: Element, element: Element): ReadonlySet<Element> {
  const found = new Set([element])
  hasBelow(element, (child) => {
    found.add(child)
    return false
  })
  search(body)
  return found

  function search(node: Element): boolean {
    const isAround =
      node === element || node.children.some((child) => child.type === 'element' && search(child))
    if (isAround) found.add(node)
    return isAround
  }
}

function rule(...texts: string[]): RuleTest {
  return matchesRules(compileRules(texts))
}
