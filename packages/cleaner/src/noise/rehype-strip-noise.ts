import type { Element, Root } from 'hast'
import type { Plugin } from 'unified'
import type { RuleTest } from '../rules/compile-rules.ts'
import { createNoiseTest } from './noise-test.ts'

/** Remove what is not content: navigation, permalinks, copy buttons, hidden elements, comments. */
export const rehypeStripNoise: Plugin<[], Root> = () => (root, file) =>
  strip(root, createNoiseTest(file.data.profile?.noise))

function strip(node: Root | Element, isNoise: RuleTest): void {
  node.children = node.children.filter(
    (child) => child.type === 'text' || (child.type === 'element' && !isNoise(child)),
  ) as Element['children']
  for (const child of node.children) if (child.type === 'element') strip(child, isNoise)
}
