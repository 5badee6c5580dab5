import type { Page, Section } from './page.ts'

/** A section with all its subsections, in document order. One that the page does not list stands alone. */
export function subtreeOf(page: Page, section: Section): Section[] {
  const start = page.sections.indexOf(section)
  if (start < 0) return [section]
  const inside = new Set([section.id])
  let end = start + 1
  for (; end < page.sections.length; end++) {
    const next = page.sections[end]
    if (next?.parent === undefined || !inside.has(next.parent)) break
    inside.add(next.id)
  }
  return page.sections.slice(start, end)
}
