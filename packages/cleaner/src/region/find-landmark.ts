import type { Element } from 'hast'
import { compileRules, matchesRules, type RuleTest } from '../rules/compile-rules.ts'
import { ancestorsOf, below } from '../tree/below.ts'
import type { Prose } from './measure-prose.ts'

/** Elements that pages use for their content, the most reliable first. */
const landmarks: readonly RuleTest[] = [
  rule('main'),
  (element) => element.properties['role'] === 'main',
  rule('article'),
  rule('#main-content', '#mw-content-text'),
  rule('.markdown-body', '.rst-content'),
]

/** A landmark with a smaller share of the prose is not the content. */
const minShare = 0.4

/** Other landmarks of the kind may have up to this share of the best one: teasers, comments. */
const maxOthers = 0.25

/**
 * The element that the generator (`content`) or the page marks as its content, if it contains a
 * sufficient share of the prose.
 */
export function findLandmark(
  body: Element,
  prose: Prose,
  content: readonly string[] = [],
): Element | undefined {
  const kinds = [...content.map((text) => rule(text)), ...landmarks]
  const byKind: Found[][] = kinds.map(() => [])
  for (const [element, weight] of prose.of)
    for (let kind = 0; kind < kinds.length; kind++)
      if (kinds[kind]?.(element)) byKind[kind]?.push({ element, prose: weight.prose })
  const least = (prose.of.get(body)?.prose ?? 0) * minShare
  const best = byKind.map((candidates) => onlyOne(body, candidates))
  return best.find((region) => region && region.prose >= least)?.element
}

interface Found {
  element: Element
  prose: number
}

/** The heaviest element, unless the others are too heavy. */
function onlyOne(body: Element, candidates: readonly Found[]): Found | undefined {
  const [first, ...rest] = candidates
  if (!first || rest.length === 0) return first
  const best = rest.reduce((heavier, next) => (next.prose > heavier.prose ? next : heavier), first)
  // Several siblings of a kind are parts of the content, which contains all of them.
  const { element: region } = best
  const inLine = new Set([region, ...below(region), ...ancestorsOf(body, region)])
  const otherProse = candidates
    .filter(({ element }) => !inLine.has(element))
    .reduce((sum, { prose }) => sum + prose, 0)
  return otherProse <= best.prose * maxOthers ? best : undefined
}

function rule(...texts: string[]): RuleTest {
  return matchesRules(compileRules(texts))
}
