import type { Element, ElementContent, Nodes, Properties } from 'hast'

export const element = (
  tagName: string,
  children: ElementContent[] = [],
  properties: Properties = {},
): Element => ({ type: 'element', tagName, properties, children })

export const textNode = (value: string): ElementContent => ({ type: 'text', value })

export function isElement(node: Nodes | undefined, tagName?: string): node is Element {
  return node?.type === 'element' && (tagName === undefined || node.tagName === tagName)
}
