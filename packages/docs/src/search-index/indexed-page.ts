import type { Page } from '@pith-mcp/cleaner'
import type { IndexedPage } from './search-index.ts'
import { partsOf, pathOf, textOf } from './section-text.ts'

/** Pages may declare invalid language tags. */
const isLanguage = (tag: string | undefined): tag is string =>
  tag !== undefined && /^[a-z]{2,8}(?:-[a-z\d]{1,8}){0,4}$/i.test(tag)

/** The part of a page that is indexed, under the URL by which clients request it. */
export function indexedPage(page: Page, url: string, stamp: string): IndexedPage {
  const byId = new Map(page.sections.map((section) => [section.id, section]))
  return {
    url,
    title: page.title,
    ...(isLanguage(page.language) && { language: page.language }),
    stamp,
    headings: headingsOf(page),
    ...(page.health.leftOut && { leftOut: page.health.leftOut.blocks }),
    sections: page.sections.flatMap((section) => {
      const continued = section.kind === 'continuation' && byId.get(section.parent ?? '')
      const { id, title } = continued || section
      const path = pathOf(continued || section, byId)
      return partsOf(textOf(section.blocks)).map((text) => ({
        id,
        title,
        heading: section.title,
        path,
        text,
      }))
    }),
  }
}

/** The headings of a page, without entries and the text before the first heading. */
export const headingsOf = (page: Page): IndexedPage['headings'] =>
  page.sections
    .filter(({ kind, level }) => kind === undefined && level > 0)
    .map(({ id, title, level }) => ({ id, title, level }))
