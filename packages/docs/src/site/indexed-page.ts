import type { Page } from '@pith-mcp/cleaner'
import { pathOf, textOf } from '../answer/section-text.ts'
import type { IndexedPage } from '../index/search-index.ts'

/** What is kept of a page to find its sections, under the URL by which it is asked for. */
export function indexedPage(page: Page, url: string, stamp: string): IndexedPage {
  const byId = new Map(page.sections.map((section) => [section.id, section]))
  const headings = page.sections.filter(
    (section) => section.kind === undefined && section.level > 0,
  )
  return {
    url,
    title: page.title,
    ...(page.language !== undefined && { language: page.language }),
    stamp,
    headings: headings.map(({ id, title, level }) => ({ id, title, level })),
    sections: page.sections.map((section) => {
      const continued = section.kind === 'continuation' && byId.get(section.parent ?? '')
      const { id, title } = continued || section
      return {
        id,
        title,
        heading: section.title,
        path: pathOf(continued || section, byId),
        text: textOf(section.blocks),
      }
    }),
  }
}
