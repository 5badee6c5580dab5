import { type Page, subtreeOf } from '@pith-mcp/cleaner'
import { DocsError } from '#formats/docs-error'
import type { PageLink } from '#formats/format'
import { seeAlsoTitle } from '#formats/readers/html-links'
import type { Recommendation } from '#sites/site-search/port/site'
import type { CallOptions } from '../protocol/call-options.ts'
import type { Origin } from '../protocol/origin.ts'
import { rankIndex } from '../search/rank-index.ts'
import { openSection } from '../section/open-page.ts'
import type { Deps } from './deps.ts'

/** A related page. */
export interface RelatedPage {
  url: string
  title: string
}

/** Pages related to one page, by relation. */
export interface Related {
  url: string
  title: string
  /** Neighbours in the order of the site. */
  next: RelatedPage[]
  previous: RelatedPage[]
  up: RelatedPage[]
  /** Links of sections and terms with a title such as “See also”. */
  seeAlso: RelatedPage[]
  /** Links in the text, most frequent first. */
  linked: RelatedPage[]
  /** Pages of the same source on the same subject. */
  similar: RelatedPage[]
  /** Translations, each with its language tag as the title. */
  languages: RelatedPage[]
  /** Number of linked pages that `linked` leaves out. */
  linkedOmitted: number
  /** Recommendations of the site. */
  recommended: Recommendation[]
  /** URL of the contents of the guide that the page belongs to. */
  guide?: string
  /** Why a request to the site failed. */
  problem?: string
  origin: Origin
}

interface RelatedOptions extends CallOptions {
  /** Only what the page links to: no similar pages, and no request to the site. */
  linksOnly?: boolean
}

const maxLinked = 12
const maxSimilar = 5
/** Limit of links of one section that the caller named. */
const maxPerSection = 100

/** Pages to read after a page or one of its sections. */
export async function findRelated(
  { reader, indexes, sites }: Deps,
  url: string,
  name?: string | undefined,
  { signal, linksOnly = false }: RelatedOptions = {},
): Promise<Related> {
  const { page, section, origin, links: readLinks } = await openSection(reader, url, name)
  const [similar, siblings]: [RelatedPage[], Siblings] = await Promise.all([
    linksOnly ? [] : similarTo(page, section?.title || page.title, indexes),
    linksOnly ? { recommended: [] } : siblingsOf(page.url, sites, signal),
  ])
  const links = await readLinks()
  const { recommended, guide, problem } = siblings
  const below = section && new Set(subtreeOf(page, section).map(({ id }) => id))
  const byRelation = (rel: 'next' | 'previous' | 'up') => {
    const pageLinks = unique(links.filter((link) => link.rel === rel))
    return pageLinks.length > 0 ? pageLinks : [siblings[rel] ?? []].flat()
  }
  const inText = links.filter(
    ({ rel, section }) => rel === 'text' && (!below || below.has(section ?? '')),
  )
  const pointing = new Set(
    page.sections.filter(({ title }) => seeAlsoTitle.test(title)).map(({ id }) => id),
  )
  const seeAlso = unique(inText.filter((link) => link.seeAlso || pointing.has(link.section ?? '')))
  const pageOf = ({ url }: RelatedPage) => url.split('#')[0] ?? url
  const pointed = new Set(seeAlso.map(pageOf))
  const linked = byFrequency(inText.filter((link) => !pointed.has(pageOf(link))))
  const maxShown = below ? maxPerSection : maxLinked
  const shownUrls = new Set([...seeAlso, ...linked.slice(0, maxShown)].map(pageOf))
  return {
    url: page.url,
    title: page.title,
    next: byRelation('next'),
    previous: byRelation('previous'),
    up: byRelation('up'),
    seeAlso,
    linked: linked.slice(0, maxShown),
    linkedOmitted: Math.max(0, linked.length - maxShown),
    similar: similar.filter((candidate) => !shownUrls.has(pageOf(candidate))),
    languages: links
      .filter(({ rel }) => rel === 'language')
      .map(({ url, language = '' }) => ({ url, title: language })),
    recommended,
    ...(guide !== undefined && { guide }),
    ...(problem !== undefined && { problem }),
    origin,
  }
}

/** Pages of the opened indexes with the words of a title. */
async function similarTo(
  page: Page,
  title: string,
  indexes: Deps['indexes'],
): Promise<RelatedPage[]> {
  const opened = await indexes.opened()
  const sources = opened.map(({ source, index }) => ({ name: source.name, index }))
  if (sources.length === 0 || title.trim() === '') return []
  const { hits } = await rankIndex(sources, [title], { maxResults: maxSimilar + 1 })
  return hits
    .map((hit) => ({ url: hit.item.url, title: hit.title }))
    .filter(({ url }) => url !== page.url)
    .slice(0, maxSimilar)
}

function unique(links: readonly PageLink[]): RelatedPage[] {
  const byUrl = new Map<string, RelatedPage>()
  for (const { url, title } of links) {
    const entry = byUrl.get(url)
    if (!entry || entry.title === '') byUrl.set(url, { url, title })
  }
  return [...byUrl.values()]
}

/** Links to several fragments of a page count together; the first of them is returned. */
function byFrequency(links: readonly PageLink[]): RelatedPage[] {
  const pages = new Map<string, { link: RelatedPage; times: number }>()
  for (const { url, title } of links) {
    const page = url.split('#')[0] ?? url
    const entry = pages.get(page)
    if (entry) entry.times++
    else pages.set(page, { link: { url, title }, times: 1 })
  }
  return [...pages.values()].sort((a, b) => b.times - a.times).map(({ link }) => link)
}

/** Pages around a page, from its site; the neighbours are from the contents of its guide. */
interface Siblings extends Pick<Related, 'recommended' | 'guide' | 'problem'> {
  next?: RelatedPage
  previous?: RelatedPage
  up?: RelatedPage
}

/** Query the site of a page. A failed request leaves out its part and adds a `problem`. */
async function siblingsOf(
  url: string,
  sites: Deps['sites'],
  signal: AbortSignal | undefined,
): Promise<Siblings> {
  const match = sites.at(url)
  if (!match) return { recommended: [] }
  const problems: string[] = []
  const ignoringFailure = (error: unknown): undefined => {
    signal?.throwIfAborted()
    if (!(error instanceof DocsError)) throw error
    problems.push(error.message)
  }
  const [recommended = [], contents] = await Promise.all([
    match.site.recommend?.(url, signal).catch(ignoringFailure),
    match.site.contents?.(url, signal).catch(ignoringFailure),
  ])
  const pages = contents?.pages ?? []
  const at = pages.findIndex((page) => page.url.split('#')[0] === url)
  const before = pages.slice(0, Math.max(0, at)).filter(isPage)
  const [next] = at < 0 ? [] : pages.slice(at + 1).filter(isPage)
  const previous = before.at(-1)
  // A group without a page is skipped; its parent is above.
  const up = around(pages, at).find(isPage)
  return {
    recommended,
    ...(contents && { guide: contents.url }),
    ...(next && { next: { url: next.url, title: next.title } }),
    ...(previous && { previous: { url: previous.url, title: previous.title } }),
    ...(up && { up: { url: up.url, title: up.title } }),
    ...(problems.length > 0 && { problem: problems.join(' ') }),
  }
}

const isPage = ({ url }: { url: string }): boolean => url !== ''

/** The ancestors of the page at a position of a guide, innermost first. */
function around<P extends { level: number }>(pages: readonly P[], at: number): P[] {
  let least = pages[at]?.level ?? 0
  return pages
    .slice(0, Math.max(0, at))
    .toReversed()
    .filter(({ level }) => {
      if (level >= least) return false
      least = level
      return true
    })
}
