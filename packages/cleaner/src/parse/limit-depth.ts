import type { Element, ElementContent, Root } from 'hast'
import { textOf } from '../tree/text-of.ts'

/** Replace whatever lies below `maxDepth` by its text, so that later walks may recurse. */
export function limitDepth(root: Root, maxDepth: number): void {
  const pending: { node: Root | Element; depth: number }[] = [{ node: root, depth: 0 }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, depth } = next
    if (depth >= maxDepth) {
      node.children = [carry(textOf(node), node.type === 'root' ? '' : node.tagName)]
      continue
    }
    for (const child of node.children)
      if (child.type === 'element') pending.push({ node: child, depth: depth + 1 })
  }
}

/** What has to stand between an element and its text for the text to count as content. */
const carriers: Readonly<Record<string, readonly string[]>> = {
  dl: ['dd'],
  menu: ['li'],
  ol: ['li'],
  table: ['tr', 'td'],
  tbody: ['tr', 'td'],
  tfoot: ['tr', 'td'],
  thead: ['tr', 'td'],
  tr: ['td'],
  ul: ['li'],
}

function carry(value: string, tagName: string): ElementContent {
  return (carriers[tagName] ?? []).reduceRight<ElementContent>(
    (child, carrier) => ({
      type: 'element',
      tagName: carrier,
      properties: {},
      children: [child],
    }),
    { type: 'text', value },
  )
}
