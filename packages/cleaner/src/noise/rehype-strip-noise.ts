import type { Element, ElementContent, Root } from 'hast'
import type { Plugin } from 'unified'
import type { RuleTest } from '../rules/compile-rules.ts'
import { createNoiseTest } from './noise-test.ts'

/** Remove what is not content: navigation, permalinks, copy buttons, hidden elements, comments. */
export const rehypeStripNoise: Plugin<[], Root> = () => (root, file) =>
  strip(root, createNoiseTest(file.data.profile?.noise))

function strip(node: Root | Element, isNoise: RuleTest): void {
  const children = node.children as ElementContent[]
  const isKept = (child: ElementContent): boolean =>
    child.type === 'text' || (child.type === 'element' && !isNoise(child))
  const kept = children.every(isKept) ? children : children.filter(isKept)
  if (kept !== children) node.children = kept
  for (const child of kept) if (child.type === 'element') strip(child, isNoise)
}
