import type { Element, ElementContent, Properties } from 'hast'

export const element = (
  tagName: string,
  children: ElementContent[] = [],
  properties: Properties = {},
): Element => ({ type: 'element', tagName, properties, children })

export const textNode = (value: string): ElementContent => ({ type: 'text', value })
