import type { Page } from '@pith-mcp/cleaner'
import { estimateTokens } from '@pith-mcp/paginator'
import type { IndexedPage } from './search-index.ts'
import { partsOf, pathOf, textOf } from './section-text.ts'

/** Pages may declare invalid language tags. */
const isLanguage = (tag: string | undefined): tag is string =>
  tag !== undefined && /^[a-z]{2,8}(?:-[a-z\d]{1,8}){0,4}$/i.test(tag)

/** The part of a page that is indexed, under the URL by which clients request it. */
export function indexedPage(page: Page, url: string, stamp: string): IndexedPage {
  const byId = new Map(page.sections.map((section) => [section.id, section]))
  const tokens = tokensById(page)
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
        tokens: tokens.get(id) ?? 0,
      }))
    }),
  }
}

/** Estimated tokens of each section with its subsections. */
export function tokensById({ sections }: Page): Map<string, number> {
  const tokens = new Map<string, number>()
  const add = (id: string, more: number) => tokens.set(id, (tokens.get(id) ?? 0) + more)
  // A section comes before its subsections.
  for (const { id, parent, blocks } of sections.toReversed()) {
    add(id, estimateTokens(textOf(blocks)))
    if (parent !== undefined) add(parent, tokens.get(id) ?? 0)
  }
  return tokens
}

/** The headings of a page, without entries and the text before the first heading. */
export const headingsOf = (page: Page): IndexedPage['headings'] =>
  page.sections
    .filter(({ kind, level }) => kind === undefined && level > 0)
    .map(({ id, title, level }) => ({ id, title, level }))
