import type { Page } from '@pith-mcp/cleaner'
import type { ReadPage } from './read-page.ts'

/** One page of several documents, such as the frames of a page; ids that repeat get a number. */
export function joinPages(read: ReadPage, parts: readonly ReadPage[]): ReadPage {
  const ids = new Set<string>()
  const sections = parts.flatMap(({ page }) => {
    const names = new Map<string, string>()
    for (const { id } of page.sections) {
      let name = id
      for (let at = 2; ids.has(name); at++) name = `${id}-${at}`
      ids.add(name)
      names.set(id, name)
    }
    return page.sections.map((section) => ({
      ...section,
      id: names.get(section.id) ?? section.id,
      ...(section.parent && { parent: names.get(section.parent) ?? section.parent }),
    }))
  })
  const [longest] = parts.toSorted((a, b) => b.page.sections.length - a.page.sections.length)
  const title = read.page.title || longest?.page.title || ''
  const page: Page = { ...read.page, title, sections }
  const links = async () => (await Promise.all(parts.map((part) => part.links()))).flat()
  return { ...read, page, links, outgoing: parts.flatMap(({ outgoing = [] }) => outgoing) }
}
