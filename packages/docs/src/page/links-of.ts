import type { Page } from '@pith-mcp/cleaner'
import { letters } from '#base/letters'
import { type PageLink, readPageLinks } from '../protocol/page-links.ts'

/** Links of a page to its neighbours, those in the text of its sections, and all others. */
export function linksOf(html: string, base: string, page: Page): PageLink[] {
  const fragments = new Map<string, string>()
  const sectionTexts = new Map<string, string>()
  for (const { id, aliases = [], title, blocks } of page.sections) {
    for (const fragment of [id, ...aliases]) fragments.set(fragment, id)
    sectionTexts.set(id, letters([title, ...blocks.map(({ markdown }) => markdown)].join('\n')))
  }
  const [first] = page.sections
  // Text before the first fragment belongs to the first section.
  if (first) fragments.set('', first.id)
  const order = page.sections.map(({ id }) => id)
  let named = 0
  const links = readPageLinks(html, base, fragments).flatMap((link) => {
    const { rel, section = '', title, url } = link
    if (rel !== 'text') return [link]
    // Looking for the text of thousands of links would take seconds.
    const name = named < maxLinks ? letters(title) : ''
    if (url.split('#')[0] === base.split('#')[0]) return []
    // A heading without a fragment also starts a section: the link belongs to the next section that
    // contains its text.
    const from = Math.max(0, order.indexOf(section))
    const own = order
      .slice(from, from + maxUnnamed)
      .find((id) => name !== '' && sectionTexts.get(id)?.includes(name))
    if (own === undefined) return [{ rel: 'other' as const, url: url.replace(/#.*$/, ''), title }]
    named++
    return [{ ...link, section: own }]
  })
  const others = links.filter(({ rel }) => rel === 'other')
  return [
    ...links.filter(({ rel }) => rel !== 'other'),
    ...new Map(others.map((link) => [link.url, link])).values(),
  ]
}

/** At most this many consecutive sections without fragments of their own are searched. */
const maxUnnamed = 20

/** At most this many links have a section. */
const maxLinks = 300
