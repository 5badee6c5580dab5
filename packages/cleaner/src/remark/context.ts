import type { Element, ElementContent, Nodes } from 'hast'
import { textNode } from '../tree/element.ts'

export interface Context {
  readonly links: 'text' | 'keep'
  readonly url: string | undefined
  /** Language declared by an ancestor of the following code. */
  readonly language: string | undefined
  /** The flow content describes a term that is no signature. */
  readonly isDescription?: boolean
  readonly blockHolders: ReadonlySet<Element>
  /** Flow content below an element; called by handlers for children. */
  readonly flow: (nodes: readonly Nodes[], context: Context) => ElementContent[]
}

/** No-break and similar spaces become spaces. */
export const text = (value: string): ElementContent =>
  textNode(value.replace(/[^\S \t\n\f\r]/g, ' '))

/** Remove the white space at both ends of running text. */
export function trimEdges(nodes: readonly ElementContent[]): void {
  const [first, last] = [nodes[0], nodes.at(-1)]
  if (first?.type === 'text') first.value = first.value.trimStart()
  if (last?.type === 'text') last.value = last.value.trimEnd()
}
