import type { Page } from '@pith-mcp/cleaner'
import { type PageLink, readPageLinks } from './page-links.ts'

/** Links of a page to its neighbours, and those in the text of its sections; no menus. */
export function linksOf(html: string, base: string, page: Page): PageLink[] {
  const fragments = new Map<string, string>()
  const said = new Map<string, string>()
  for (const { id, aliases = [], title, blocks } of page.sections) {
    for (const fragment of [id, ...aliases]) fragments.set(fragment, id)
    said.set(id, letters([title, ...blocks.map(({ markdown }) => markdown)].join('\n')))
  }
  const [first] = page.sections
  // What stands before the first fragment belongs to the first section.
  if (first) fragments.set('', first.id)
  const links = readPageLinks(html, base, fragments).filter((link) => {
    const { rel, section = '', title, url } = link
    const name = letters(title)
    const isElsewhere = url.split('#')[0] !== base.split('#')[0]
    if (rel !== 'text') return true
    return isElsewhere && name !== '' && (said.get(section) ?? '').includes(name)
  })
  return links.slice(0, mostLinks)
}

const mostLinks = 300

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
