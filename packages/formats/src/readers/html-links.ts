import type { Page } from '@pith-mcp/cleaner'
import { Parser } from 'htmlparser2'
import { letters } from '#base/letters'
import type { PageLink } from '../format.ts'

/** Titles and terms above links to read next. */
export const seeAlsoTitle: RegExp =
  /see also|related|further reading|next steps|learn more|what.s next|more information|関連|参照|siehe auch|voir aussi|véase también|参见|另请参阅/i

/** At most this many links, including menus, which are long and precede the text. */
const maxRead = 20_000
const relations: Readonly<Record<string, PageLink['rel']>> = {
  next: 'next',
  prev: 'previous',
  previous: 'previous',
  up: 'up',
  parent: 'up',
}
/** Class names of generators for the links at the foot of a page: `pagination-nav__link--next`. */
const footClass = /(?:^|[\s_-])(next|prev|previous)(?:$|[\s_-])/i
const markdownTypes = new Set(['text/markdown', 'text/x-markdown'])

/**
 * Links of a page to its neighbours, translations, Markdown and other pages, each target once per
 * relation. With `fragments` (fragment to section id), those in its text name their section.
 */
export function readPageLinks(
  html: string,
  base: string,
  fragments: ReadonlyMap<string, string> = new Map(),
): PageLink[] {
  const links = new Map<string, PageLink>()
  let section = fragments.get('')
  let open: PageLink | undefined
  let term = ''
  let isTerm = false
  let baseUrl = base
  const parser = new Parser({
    onopentag(name, attributes) {
      const id = attributes['id'] ?? attributes['name'] ?? ''
      if (id !== '') section = fragments.get(id) ?? section
      if (name === 'base' && attributes['href']) baseUrl = resolve(attributes['href'], base) ?? base
      if (name === 'link') add(headLink(attributes))
      if (name === 'area') add(areaLink(attributes))
      if (name === 'frame' || name === 'iframe') add(frameLink(attributes))
      if (name === 'dt' || name === 'dl') term = ''
      if (name === 'dt' || name === 'dd') isTerm = name === 'dt'
      if (name === 'a') {
        open = add(
          neighbourLink(attributes) ??
            textLink(attributes, section, !isTerm && seeAlsoTitle.test(term)),
        )
      }
    },
    ontext(text) {
      if (isTerm && term.length < 200) term += text
      if (open && open.title.length < 200) open.title += text
    },
    onclosetag(name) {
      if (name === 'a') open = undefined
      if (name === 'dl') term = ''
    },
  })
  parser.end(html)
  return [...links.values()].map((link) => ({ ...link, title: tidy(link.title) }))

  function add(link: PageLink | undefined): PageLink | undefined {
    if (!link || links.size >= maxRead) return undefined
    const target = resolve(link.url, baseUrl)
    const url = link.rel === 'other' ? target?.replace(/#.*$/, '') : target
    if (url === undefined) return undefined
    const key = `${link.rel} ${link.language ?? ''} ${link.section ?? ''} ${link.seeAlso ?? ''} ${url}`
    const sameLink = links.get(key)
    if (sameLink) return sameLink.title === '' ? sameLink : undefined
    const added = { ...link, url }
    links.set(key, added)
    return added
  }
}

function headLink(attributes: Record<string, string>): PageLink | undefined {
  const { href, rel = '', type = '', hreflang, title = '' } = attributes
  if (!href) return undefined
  const relation = rel
    .toLowerCase()
    .split(/\s+/)
    .map((name) => relations[name])
    .find(Boolean)
  if (relation) return { rel: relation, url: href, title }
  // Some sites misspell the word.
  if (!/\balternat(?:e|ive)\b/i.test(rel)) return undefined
  if (markdownTypes.has(type.toLowerCase())) return { rel: 'markdown', url: href, title }
  return hreflang && hreflang !== 'x-default'
    ? { rel: 'language', url: href, title, language: hreflang }
    : undefined
}

function neighbourLink(attributes: Record<string, string>): PageLink | undefined {
  const { href, rel = '', class: classes = '', accesskey = '' } = attributes
  if (!href || href.startsWith('#')) return undefined
  const byRel = relations[rel.toLowerCase().trim()]
  if (byRel) return { rel: byRel, url: href, title: '' }
  const [, word] = footClass.exec(classes) ?? []
  const relation = word && relations[word.toLowerCase()]
  if (relation) return { rel: relation, url: href, title: '' }
  // DocBook and similar generators mark these links by access keys only.
  const key = { n: 'next', p: 'previous', u: 'up' }[accesskey] as PageLink['rel'] | undefined
  return key && { rel: key, url: href, title: '' }
}

function textLink(
  { href }: Record<string, string>,
  section: string | undefined,
  seeAlso: boolean,
): PageLink | undefined {
  if (!href || href.startsWith('#')) return undefined
  if (section === undefined) return { rel: 'other', url: href, title: '' }
  return { rel: 'text', url: href, title: '', section, ...(seeAlso && { seeAlso }) }
}

/** A part of a picture that is a link. */
const areaLink = ({ href, alt = '', title = alt }: Record<string, string>): PageLink | undefined =>
  href && !href.startsWith('#') ? { rel: 'other', url: href, title } : undefined

const frameLink = ({ src, title, name = '' }: Record<string, string>): PageLink | undefined =>
  src ? { rel: 'frame', url: src, title: title ?? name } : undefined

function resolve(href: string, base: string): string | undefined {
  if (!URL.canParse(href, base || 'file:///')) return undefined
  const url = new URL(href, base || 'file:///')
  return url.protocol === 'http:' || url.protocol === 'https:' || url.protocol === 'file:'
    ? url.href
    : undefined
}

const tidy = (title: string): string => title.replace(/\s+/g, ' ').trim().slice(0, 200)

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
  let placedCount = 0
  const links = readPageLinks(html, base, fragments).flatMap((link) => {
    const { rel, section = '', title, url } = link
    if (rel !== 'text') return [link]
    // Looking for the text of thousands of links would take seconds.
    const name = placedCount < maxLinks ? letters(title) : ''
    if (url.split('#')[0] === base.split('#')[0]) return []
    // A heading without a fragment also starts a section: the link belongs to the next section that
    // contains its text.
    const from = Math.max(0, order.indexOf(section))
    const owner = order
      .slice(from, from + maxUnnamed)
      .find((id) => name !== '' && sectionTexts.get(id)?.includes(name))
    if (owner === undefined) return [{ rel: 'other' as const, url: url.replace(/#.*$/, ''), title }]
    placedCount++
    return [{ ...link, section: owner }]
  })
  const otherLinks = links.filter(({ rel }) => rel === 'other')
  return [
    ...links.filter(({ rel }) => rel !== 'other'),
    ...new Map(otherLinks.map((link) => [link.url, link])).values(),
  ]
}

/** At most this many consecutive sections without fragments of their own are searched. */
const maxUnnamed = 20

/** At most this many links have a section. */
const maxLinks = 300
