import type { Element, ElementContent, Root } from 'hast'
import type { Plugin } from 'unified'
import { element, textNode } from '../tree/element.ts'
import { textOf } from '../tree/text-of.ts'
import { byWord } from '../tree/word-lists.ts'

/** Depth of elements, as browsers limit it. */
export const defaultMaxDepth = 512

/** Options of {@link rehypeLimitDepth}. */
export interface DepthOptions {
  /** Deeper elements are replaced by their text. Default 512, the depth limit of browsers. */
  maxDepth?: number
}

/** Unified plugin: replace what is deeper than `maxDepth` by its text, so that later steps may recurse. */
export const rehypeLimitDepth: Plugin<[DepthOptions?], Root> =
  ({ maxDepth = defaultMaxDepth } = {}) =>
  (root) =>
    limitDepth(root, maxDepth)

/** Replace everything below `maxDepth` by its text, so that later steps may recurse. */
export function limitDepth(node: Root | Element, maxDepth: number): void {
  const { children } = node
  if (maxDepth <= 0) {
    if (children.length > 0)
      node.children = [carry(textOf(node), node.type === 'root' ? '' : node.tagName)]
    return
  }
  for (let index = 0; index < children.length; index++) {
    const child = children[index]
    if (child?.type === 'element') limitDepth(child, maxDepth - 1)
  }
}

/** Elements required between an element and its text for the text to count as content. */
const carriers = byWord([
  ['dl', ['dd']],
  ['menu ol ul', ['li']],
  ['table tbody tfoot thead', ['tr', 'td']],
  ['tr', ['td']],
])

function carry(value: string, tagName: string): ElementContent {
  const around = carriers.get(tagName) ?? []
  return around.reduceRight((child, carrier) => element(carrier, [child]), textNode(value))
}
