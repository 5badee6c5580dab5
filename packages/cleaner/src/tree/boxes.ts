import type { Element } from 'hast'
import { blockTags } from './block-tags.ts'
import { element, textNode } from './element.ts'
import { hasBelow } from './has-below.ts'

const boxClass =
  /^(?:d-)?(?:block|flex|grid)$|(?:^|[-_])(?:badge|chip|flag|label|pill|since|stability|status|tag)s?(?:$|[-_])/i
/** Highlighters name a tag of the code. */
const highlighterClass = /^(?:hljs|token|tok|cm|pl)(?:$|-)/
const boxStyle = /display:\s*(?:block|flex|grid|list-item|table)/i
const boxRoles = new Set([
  'cell',
  'columnheader',
  'gridcell',
  'listitem',
  'option',
  'row',
  'rowheader',
])

/** True for an element that a browser shows as a box of its own, by tag, class, style or role. */
export function isBox({ tagName, properties }: Element): boolean {
  if (blockTags.has(tagName)) return true
  const { className, role, style } = properties
  if (typeof style === 'string' && boxStyle.test(style)) return true
  if (typeof role === 'string' && boxRoles.has(role)) return true
  if (!Array.isArray(className)) return false
  const names = className as string[]
  return (
    names.some((name) => boxClass.test(name)) && !names.some((name) => highlighterClass.test(name))
  )
}

/** True if text that ends and text that begins so would read as one word. */
export const isGlued = (before: string | undefined, after: string | undefined): boolean =>
  /[\p{L}\p{N}`*~'")\]}”’»]$/u.test(before ?? '') && /^[\p{L}\p{N}`*~'"([{“‘«]/u.test(after ?? '')

/** Put each reading of a ruby text without brackets in brackets. */
export function bracketReadings(ruby: Element): void {
  if (hasBelow(ruby, ({ tagName }) => tagName === 'rp')) return
  hasBelow(ruby, (reading) => {
    if (reading.tagName === 'rt' && reading.children.length > 0)
      reading.children = [bracket('('), ...reading.children, bracket(')')]
    return false
  })
}

const bracket = (sign: string): Element => element('rp', [textNode(sign)])
