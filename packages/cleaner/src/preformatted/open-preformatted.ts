import type { Element, ElementContent, Root } from 'hast'
import { languageOf } from '../read/read-code.ts'
import type { RuleTest } from '../rules/compile-rules.ts'
import { blockTags } from '../tree/block-tags.ts'
import { hasBelow } from '../tree/has-below.ts'
import { classesOf } from '../tree/properties.ts'
import { textLength } from '../tree/text-length.ts'
import { textOf } from '../tree/text-of.ts'
import { layOut } from './lay-out.ts'
import { type Line, linesOf } from './lines-of.ts'
import { isManual } from './prose.ts'

interface Text {
  parent: Root | Element
  pre: Element
  lines: Line[]
  /** The level of the heading before it. */
  level: number
}

/**
 * Give a manual that is rendered as preformatted text headings, paragraphs and lists. Takes linear
 * time.
 */
export function openPreformatted(root: Root, isNoise: RuleTest): void {
  const texts: Text[] = []
  let level = 1
  search(root)
  if (!isManual(texts.flatMap(({ lines }) => lines))) return
  const laidOut = new Map<ElementContent, ElementContent[]>()
  for (const { pre, lines, level } of texts) laidOut.set(pre, layOut(lines, level))
  for (const parent of new Set(texts.map((text) => text.parent)))
    parent.children = (parent.children as ElementContent[]).flatMap(
      (child) => laidOut.get(child) ?? [child],
    )

  function search(parent: Root | Element): void {
    for (const child of parent.children) {
      if (child.type !== 'element') continue
      if (/^h[1-6]$/.test(child.tagName)) level = Number(child.tagName.slice(1))
      else if (child.tagName !== 'pre') search(child)
      else if (mayBeText(child, isNoise))
        texts.push({ parent, pre: child, lines: linesOf(child), level })
    }
  }
}

/** Most of the text of highlighted code is in elements with classes. */
const maxHighlighted = 0.2

function mayBeText(pre: Element, isNoise: RuleTest): boolean {
  let highlighted = 0
  let hasBlocks = false
  const isMenu = (node: ElementContent) =>
    node.type === 'element' && blockTags.has(node.tagName) && isNoise(node)
  hasBelow({ ...pre, children: [pre] }, (element) => {
    if (element.children.some(isMenu))
      element.children = element.children.filter((child) => !isMenu(child))
    if (element === pre) return false
    hasBlocks ||= blockTags.has(element.tagName)
    if (element.tagName === 'span' && classesOf(element).length > 0)
      highlighted += textLength(textOf(element))
    return hasBlocks
  })
  const isDeclared = languageOf(pre) !== undefined
  return !hasBlocks && !isDeclared && highlighted <= textLength(textOf(pre)) * maxHighlighted
}
