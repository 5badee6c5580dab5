import type { Element, ElementContent, Nodes, Properties } from 'hast'

export interface Context {
  readonly links: 'text' | 'keep'
  readonly url: string | undefined
  /** Language named by an element around the code to come. */
  readonly language: string | undefined
  readonly blockHolders: ReadonlySet<Element>
  /** Flow content below an element; the way for a handler to go on. */
  readonly flow: (nodes: readonly Nodes[], context: Context) => ElementContent[]
}

export function element(
  tagName: string,
  children: ElementContent[],
  properties: Properties = {},
): Element {
  return { type: 'element', tagName, properties, children }
}

/** No-break spaces and their like are spaces. */
export const text = (value: string): ElementContent => ({
  type: 'text',
  value: value.replace(/[^\S \t\n\f\r]/g, ' '),
})
