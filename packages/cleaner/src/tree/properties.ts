import type { Element, ElementData } from 'hast'

/** A property as a string; lists are joined by spaces, absent ones are undefined, `true` is ''. */
export function stringProperty(element: Element, name: string): string | undefined {
  const value = element.properties[name]
  if (value === undefined || value === null || value === false) return undefined
  if (value === true) return ''
  return Array.isArray(value) ? value.join(' ') : String(value)
}

/** Add to what an element carries for later steps; some parsers declare fields of theirs as required. */
export function annotate(element: Element, data: Partial<ElementData>): void {
  element.data = { ...element.data, ...data } as ElementData
}

/** The fragment that leads to an element. */
export function fragmentOf(element: Element): string | undefined {
  const name = element.tagName === 'a' ? stringProperty(element, 'name') : undefined
  return stringProperty(element, 'id') || name || undefined
}
