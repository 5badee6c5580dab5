import type { Element, Root } from 'hast'
import { below, hasBelow } from './below.ts'
import { element, textNode } from './element.ts'
import { hasClass } from './properties.ts'
import { isBlock, isTag } from './tags.ts'
import { wordsOf } from './word-lists.ts'

const boxClass =
  /^(?:d-)?(?:block|flex|grid)$|(?:^|[-_])(?:badge|chip|flag|label|pill|since|stability|status|tag)s?(?:$|[-_])/i
/** Highlighters name a tag of the code. */
const highlighterClass = /^(?:hljs|token|tok|cm|pl)(?:$|-)/
const boxStyle = /display:\s*(?:block|flex|grid|list-item|table)/i
const boxRoles = wordsOf('cell columnheader gridcell listitem option row rowheader')

/** True for an element that a browser shows as a box of its own, by tag, class, style or role. */
export function isBox(element: Element): boolean {
  if (isBlock(element)) return true
  const { role, style } = element.properties
  if (typeof style === 'string' && boxStyle.test(style)) return true
  if (typeof role === 'string' && boxRoles.has(role)) return true
  return hasClass(element, boxClass) && !hasClass(element, highlighterClass)
}

/** True if text that ends and text that begins so would read as one word. */
export const isGlued = (before: string | undefined, after: string | undefined): boolean =>
  /[\p{L}\p{N}`*~'")\]}”’»]$/u.test(before ?? '') && /^[\p{L}\p{N}`*~'"([{“‘«]/u.test(after ?? '')

/** Put each reading of a ruby text without brackets in brackets. */
export function bracketReadings(ruby: Element): void {
  if (hasBelow(ruby, isTag('rp'))) return
  for (const reading of below(ruby))
    if (reading.tagName === 'rt' && reading.children.length > 0)
      reading.children = [bracket('('), ...reading.children, bracket(')')]
}

const bracket = (sign: string): Element => element('rp', [textNode(sign)])

/** Inline elements with a block-level descendant, which are not running text. */
export function findBlockHolders(root: Root): ReadonlySet<Element> {
  const holders = new Set<Element>()
  for (const child of root.children) if (child.type === 'element') search(child)
  return holders

  function search(element: Element): boolean {
    if (element.tagName === 'pre') return true
    let holds = false
    for (const child of element.children)
      if (child.type === 'element' && search(child)) holds = true
    if (holds && (!isBlock(element) || element.tagName === 'summary')) holders.add(element)
    return holds || isBlock(element)
  }
}
