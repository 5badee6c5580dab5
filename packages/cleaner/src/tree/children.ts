import type { Element, ElementContent, Root } from 'hast'
import { isElement } from './element.ts'

export const elementsIn = ({ children }: Root | Element): Element[] =>
  (children as ElementContent[]).filter((child) => child.type === 'element')

/** The first child, or the first with a tag. */
export const childOf = (
  parent: Root | Element | undefined,
  tagName?: string,
): Element | undefined =>
  parent?.children.find((child) => isElement(child, tagName)) as Element | undefined
