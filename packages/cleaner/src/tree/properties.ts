import type { Element, ElementData } from 'hast'
import { below } from './below.ts'

/** A property as a string; lists are joined by spaces, absent ones are undefined, `true` is ''. */
export function stringProperty(element: Element, name: string): string | undefined {
  const value = element.properties[name]
  if (value === undefined || value === null || value === false) return undefined
  if (value === true) return ''
  return Array.isArray(value) ? value.join(' ') : String(value)
}

const none: readonly string[] = []

export function classesOf(element: Element): readonly string[] {
  const { className } = element.properties
  return Array.isArray(className) ? (className as string[]) : none
}

export const hasClass = (element: Element, names: ReadonlySet<string> | RegExp): boolean =>
  classesOf(element).some((name) => ('has' in names ? names.has(name) : names.test(name)))

/** The id and the classes of an element. */
export const namesOf = (element: Element): string[] =>
  [stringProperty(element, 'id'), ...classesOf(element)].filter((name) => name !== undefined)

/** Add to what an element carries for later steps; some parsers declare fields of theirs as required. */
export function annotate(element: Element, data: Partial<ElementData>): void {
  element.data = { ...element.data, ...data } as ElementData
}

/** Remove what hides an element. */
export function show({ properties }: Element): void {
  for (const name of ['hidden', 'ariaHidden', 'style']) delete properties[name]
}

/** The fragments that lead to what is in an element. */
export const fragmentsIn = (element: Element): string[] =>
  [...below(element)].map(fragmentOf).filter((mark) => mark !== undefined)

/** The fragment that leads to an element. */
export function fragmentOf(element: Element): string | undefined {
  const name = element.tagName === 'a' ? stringProperty(element, 'name') : undefined
  return stringProperty(element, 'id') || name || undefined
}
