import type { Element, Nodes } from 'hast'

const none: readonly string[] = []

export function classesOf(element: Element): readonly string[] {
  const { className } = element.properties
  return Array.isArray(className) ? (className as string[]) : none
}

export function hasClass(element: Element, names: ReadonlySet<string>): boolean {
  return classesOf(element).some((name) => names.has(name))
}

/** A property as a string; lists are joined by spaces, absent ones are undefined, `true` is ''. */
export function stringProperty(element: Element, name: string): string | undefined {
  const value = element.properties[name]
  if (value === undefined || value === null || value === false) return undefined
  if (value === true) return ''
  return Array.isArray(value) ? value.join(' ') : String(value)
}

/** The fragment that leads to an element. */
export function fragmentOf(element: Element): string | undefined {
  const name = element.tagName === 'a' ? stringProperty(element, 'name') : undefined
  return stringProperty(element, 'id') || name || undefined
}

export function isElement(node: Nodes | undefined, tagName?: string): node is Element {
  return node?.type === 'element' && (tagName === undefined || node.tagName === tagName)
}
