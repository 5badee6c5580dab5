import type { Element } from 'hast'

const none: readonly string[] = []

export function classesOf(element: Element): readonly string[] {
  const { className } = element.properties
  return Array.isArray(className) ? (className as string[]) : none
}

export function hasClass(element: Element, names: ReadonlySet<string>): boolean {
  return classesOf(element).some((name) => names.has(name))
}
