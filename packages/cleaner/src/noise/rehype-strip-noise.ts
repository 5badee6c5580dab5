import type { Element, Root } from 'hast'
import type { Plugin } from 'unified'
import { isNoise } from './is-noise.ts'

/** Remove what is not content: navigation, permalinks, copy buttons, hidden elements, comments. */
export const rehypeStripNoise: Plugin<[], Root> = () => strip

function strip(node: Root | Element): void {
  node.children = node.children.filter(
    (child) => child.type === 'text' || (child.type === 'element' && !isNoise(child)),
  ) as Element['children']
  for (const child of node.children) if (child.type === 'element') strip(child)
}
