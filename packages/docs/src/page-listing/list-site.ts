import type { HttpClient } from '../fetch/http-client.ts'
import { isPassing } from '../fetch/http-errors.ts'
import type { FrontReader } from '../fetch/read-front.ts'
import type { Robots } from '../fetch/robots.ts'
import type { ApartCleaner } from '../page/clean-apart.ts'
import { findStaticIndex } from '../published-index/find-static-index.ts'
import type { Contents, Site } from '../site-search/port/site.ts'
import { crawl } from './crawl.ts'
import { listLlms, readLlmsFull } from './list-llms.ts'
import { listSitemap, type SitemapListing } from './list-sitemap.ts'
import type { ListedPage, Listing } from './listing.ts'

export interface ListSiteOptions {
  client: HttpClient
  front: FrontReader
  /** The site has its own way to list its pages, or to name them. */
  site?: Site | undefined
  cleaner: ApartCleaner
  robots: Robots
  mostPages: number
  signal: AbortSignal
}

/**
 * Pages of a site below the source, by the first way that gives any: the contents of a guide; the
 * search index that the site brings itself; llms.txt, llms-full.txt or a sitemap, beside the source or at the root of its host;
 * the links from page to page.
 */
export async function listSite(named: string, options: ListSiteOptions): Promise<Listing> {
  const { client, mostPages, robots, site } = options
  const front = await options.front(named)
  // A site that has moved to another host is there now; one that only opens at some page is not.
  const hasMoved = front && new URL(front.url).host !== new URL(named).host
  const source = hasMoved ? front.url : named
  const { pathname } = new URL(source)
  if (/\.xml(?:\.gz)?$/i.test(pathname)) {
    const listed = await listSitemap(client, source, mostPages, () => true)
    return read('sitemap', listed?.entries ?? [], listed)
  }
  if (/\/llms[\w-]*\.txt$/.test(pathname))
    return read('llms.txt', (await listLlms(client, source, mostPages, () => true)) ?? [])
  const folder = new URL('.', source).href
  const isWanted = (url: string) => url.startsWith(folder)

  const contents = await site?.contents?.(source, options.signal).catch(unlessPassing)
  if (contents) {
    const { more } = contents
    return read('contents of the guide', ownPages(contents).map(entryOf), { more })
  }
  const index = front && (await findStaticIndex(front, client, mostPages))
  if (index) {
    const pages = index.pages.filter(({ url }) => isWanted(url))
    const some = pages.slice(0, mostPages)
    if (some.length > 0)
      return {
        rung: `${index.generator} index`,
        entries: [],
        pages: some,
        total: some.length,
        more: index.more || pages.length > some.length,
      }
  }
  for (const name of beside(source, 'llms.txt')) {
    const entries = await listLlms(client, name, mostPages, isWanted, site?.pageUrl)
    if (entries) return read('llms.txt', entries)
  }
  for (const name of beside(source, 'llms-full.txt')) {
    const pages = await readLlmsFull(client, options.cleaner, name, isWanted)
    if (pages)
      return { rung: 'llms-full.txt', entries: [], pages, total: pages.length, more: false }
  }
  for (const name of beside(source, 'sitemap.xml')) {
    const listed = await listSitemap(client, name, mostPages, isWanted)
    if (!listed || listed.entries.length === 0) continue
    return read('sitemap', [entryOf(source), ...listed.entries], listed)
  }
  const failures = { passing: 0, more: false, forbidden: 0 }
  return {
    rung: 'links from page to page',
    entries: [],
    pages: crawl(source, { ...options, isWanted, failures }),
    more: false,
    isPartial: () => failures.passing > 0,
    hasMore: () => failures.more,
    forbidden: () => failures.forbidden,
  }

  async function read(
    rung: string,
    listed: ListedPage[],
    { more = false, isPartial = false }: Partial<SitemapListing> = {},
  ): Promise<Listing> {
    const entries = unique(listed)
    const allowed: ListedPage[] = []
    for (const entry of entries.slice(0, mostPages)) {
      const { location } = entry
      if (location.kind === 'file' || (await robots.isAllowed(location.url))) allowed.push(entry)
    }
    const some = Math.min(entries.length, mostPages)
    return {
      rung,
      entries: allowed,
      more: more || entries.length > mostPages,
      isPartial: () => isPartial,
      forbidden: () => some - allowed.length,
    }
  }
}

/** Pages in the folder of a list; others are of other guides. */
const ownPages = ({ url, pages }: Contents): string[] => {
  const folder = new URL('.', url).href
  return pages.flatMap((page) => (page.url.startsWith(folder) ? [page.url] : []))
}

/** A list that is none now and will not be one soon is none; one that cannot be had now is waited for. */
function unlessPassing(error: unknown): undefined {
  if (isPassing(error)) throw error
}

const entryOf = (url: string): ListedPage => ({ location: { kind: 'web', url }, stamp: '' })

function unique(entries: readonly ListedPage[]): ListedPage[] {
  const byUrl = new Map<string, ListedPage>()
  for (const entry of entries)
    if (entry.location.kind === 'web') byUrl.set(entry.location.url, entry)
  return [...byUrl.values()]
}

/** A file in the folder of the source, and at the root of its host. */
const beside = (source: string, name: string): Set<string> =>
  new Set([new URL(name, source).href, new URL(`/${name}`, source).href])
