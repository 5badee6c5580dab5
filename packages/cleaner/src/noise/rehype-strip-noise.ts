import type { Element, ElementContent, Root } from 'hast'
import type { Plugin } from 'unified'
import type { RuleTest } from '../rules/compile-rules.ts'
import { textLength } from '../tree/text-length.ts'
import { textOf } from '../tree/text-of.ts'
import { createNoiseTest, isContents } from './noise-test.ts'

/**
 * Remove what is not content: navigation, permalinks, copy buttons, hidden elements, and tables of
 * contents, unless these are most of the page.
 */
export const rehypeStripNoise: Plugin<[], Root> = () => (root, file) => {
  const contents: Contents[] = []
  strip(root, createNoiseTest(file.data.profile?.noise), contents)
  const listed = contents.reduce((length, { list }) => length + textLength(textOf(list)), 0)
  if (contents.length === 0 || listed * 2 > textLength(textOf(root))) return
  for (const { parent, list } of contents)
    parent.children = parent.children.filter((child) => child !== list) as Element['children']
}

interface Contents {
  parent: Root | Element
  list: Element
}

function strip(node: Root | Element, isNoise: RuleTest, contents: Contents[]): void {
  const children = node.children as ElementContent[]
  const isKept = (child: ElementContent): boolean =>
    child.type === 'text' || (child.type === 'element' && !isNoise(child))
  const kept = children.every(isKept) ? children : children.filter(isKept)
  if (kept !== children) node.children = kept
  for (const child of kept) {
    if (child.type !== 'element') continue
    if (isContents(child)) contents.push({ parent: node, list: child })
    else strip(child, isNoise, contents)
  }
}
