import type { Page } from '@pith-mcp/cleaner'
import { type PageLink, readPageLinks } from '../common/page-links.ts'

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
  const order = page.sections.map(({ id }) => id)
  const links = readPageLinks(html, base, fragments).flatMap((link) => {
    const { rel, section = '', title, url } = link
    if (rel !== 'text') return [link]
    const name = letters(title)
    const isElsewhere = url.split('#')[0] !== base.split('#')[0]
    if (!isElsewhere || name === '') return []
    // A heading without a fragment begins a section all the same: it is one of the next that says it.
    const from = Math.max(0, order.indexOf(section))
    const own = order.slice(from, from + mostUnnamed).find((id) => said.get(id)?.includes(name))
    return own === undefined ? [] : [{ ...link, section: own }]
  })
  return links.slice(0, mostLinks)
}

/** Sections in a row without fragments of their own. */
const mostUnnamed = 20

const mostLinks = 300

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
