import type { Element, Root } from 'hast'
import { textOf } from '../tree/text-of.ts'

/** Replace whatever lies below `maxDepth` by its text, so that later walks may recurse. */
export function limitDepth(root: Root, maxDepth: number): void {
  const pending: { node: Root | Element; depth: number }[] = [{ node: root, depth: 0 }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, depth } = next
    if (depth >= maxDepth) {
      node.children = [{ type: 'text', value: textOf(node) }]
      continue
    }
    for (const child of node.children)
      if (child.type === 'element') pending.push({ node: child, depth: depth + 1 })
  }
}
