import type { Element } from 'hast'
import type { RuleTest } from '../rules/compile-rules.ts'
import { hasWithin } from '../tree/below.ts'
import { elementsIn } from '../tree/children.ts'
import { isTag } from '../tree/tags.ts'
import type { Prose } from './measure-prose.ts'

/** Share of the body's prose that may be left out while descending. */
const maxLeftBehind = 0.03
/** In characters, next to a cell of a layout table: the furniture of a short page. */
const maxBesideCell = 100

/**
 * Descend from the body while one child contains almost all prose. Stops above a title, so that a
 * heading outside the text column is kept.
 */
export function densestRegion(body: Element, prose: Prose, isNoise: RuleTest): Element {
  const total = prose.of.get(body)?.prose ?? 0
  let region = body
  let table: Element | undefined
  for (;;) {
    const children = elementsIn(region)
    const heaviest = children.reduce<Element | undefined>(
      (best, child) => (weight(child) > weight(best) ? child : best),
      undefined,
    )
    if (
      !heaviest ||
      !isContainer(heaviest) ||
      leavesTooMuch(heaviest) ||
      children.some((child) => child !== heaviest && holdsTitle(child))
    )
      // Rows without their table would be paragraphs.
      return table && isTablePart(region) ? table : region
    if (heaviest.tagName === 'table') table = heaviest
    region = heaviest
  }

  function leavesTooMuch(element: Element): boolean {
    const leftBehind = total - weight(element)
    const isShort = isCell(element) && leftBehind <= maxBesideCell && leftBehind * 2 < total
    return leftBehind > total * maxLeftBehind && !isShort
  }

  function weight(element: Element | undefined): number {
    return element ? (prose.of.get(element)?.prose ?? 0) : 0
  }

  function holdsTitle(element: Element): boolean {
    const isTitle = (node: Element) => node.tagName === 'h1' && weight(node) > 0
    return !isNoise(element) && hasWithin(element, isTitle)
  }
}

const isContainer = isTag('div section article main td tr tbody table center')
const isTablePart = isTag('table tbody tr')
const isCell = isTag('table tbody td tr')
