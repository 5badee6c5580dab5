import type { FrontPageReader } from '../fetch/front-page.ts'
import type { HttpClient } from '../fetch/http-client.ts'
import { isTransient } from '../fetch/retry.ts'
import type { Robots } from '../fetch/robots.ts'
import type { CleanPool } from '../page/clean-pool.ts'
import { findPublishedIndex } from '../published-index/find-published-index.ts'
import type { Contents, Site } from '../site-search/port/site.ts'
import { crawl } from './crawl.ts'
import { listLlms, readLlmsFull } from './list-llms.ts'
import { listSitemap, type SitemapListing } from './list-sitemap.ts'
import type { ListedPage, Listing } from './listing.ts'

export interface ListSiteOptions {
  client: HttpClient
  front: FrontPageReader
  /** Adapter of the site, if it has its own way to list or name pages. */
  site?: Site | undefined
  cleaner: CleanPool
  robots: Robots
  maxPages: number
  signal: AbortSignal
}

/**
 * Pages of a site below the source, by the first way that finds any: the contents of a guide; the
 * published index; llms.txt, llms-full.txt or a sitemap, in the folder of the source or at the root
 * of its host; a crawl.
 */
export async function listSite(named: string, options: ListSiteOptions): Promise<Listing> {
  const { client, maxPages, robots, site } = options
  const front = await options.front(named)
  // A redirect to another host moves the source; one on the same host only opens a start page.
  const hasMoved = front && new URL(front.url).host !== new URL(named).host
  const source = hasMoved ? front.url : named
  const { pathname } = new URL(source)
  if (/\.xml(?:\.gz)?$/i.test(pathname)) {
    const listed = await listSitemap(client, source, maxPages, () => true)
    return read('sitemap', listed?.entries ?? [], listed)
  }
  if (/\/llms[\w-]*\.txt$/.test(pathname))
    return read('llms.txt', (await listLlms(client, source, maxPages, () => true)) ?? [])
  const folder = new URL('.', source).href
  const isRequested = (url: string) => url.startsWith(folder)

  const contents = await site?.contents?.(source, options.signal).catch(unlessTransient)
  if (contents) {
    const { more } = contents
    return read('contents of the guide', ownPages(contents).map(entryOf), { more })
  }
  const index = front && (await findPublishedIndex(front, client, maxPages))
  if (index) {
    const pages = index.pages.filter(({ url }) => isRequested(url))
    const some = pages.slice(0, maxPages)
    if (some.length > 0)
      return {
        via: `${index.generator} index`,
        entries: [],
        pages: some,
        total: some.length,
        more: index.more || pages.length > some.length,
      }
  }
  for (const name of siblings(source, 'llms.txt')) {
    const entries = await listLlms(client, name, maxPages, isRequested, site?.pageUrl)
    if (entries) return read('llms.txt', entries)
  }
  for (const name of siblings(source, 'llms-full.txt')) {
    const pages = await readLlmsFull(client, options.cleaner, name, isRequested)
    if (pages) return { via: 'llms-full.txt', entries: [], pages, total: pages.length, more: false }
  }
  for (const name of siblings(source, 'sitemap.xml')) {
    const listed = await listSitemap(client, name, maxPages, isRequested)
    if (!listed || listed.entries.length === 0) continue
    return read('sitemap', [entryOf(source), ...listed.entries], listed)
  }
  const failures = { transient: 0, more: false, forbidden: 0 }
  return {
    via: 'links from page to page',
    entries: [],
    pages: crawl(source, { ...options, isRequested, failures }),
    more: false,
    isPartial: () => failures.transient > 0,
    hasMore: () => failures.more,
    forbidden: () => failures.forbidden,
  }

  async function read(
    via: string,
    listed: ListedPage[],
    { more = false, isPartial = false }: Partial<SitemapListing> = {},
  ): Promise<Listing> {
    const entries = unique(listed)
    const allowed: ListedPage[] = []
    for (const entry of entries.slice(0, maxPages)) {
      const { location } = entry
      if (location.kind === 'file' || (await robots.isAllowed(location.url))) allowed.push(entry)
    }
    const some = Math.min(entries.length, maxPages)
    return {
      via,
      entries: allowed,
      more: more || entries.length > maxPages,
      isPartial: () => isPartial,
      forbidden: () => some - allowed.length,
    }
  }
}

/** Pages in the folder of a list; the others belong to other guides. */
const ownPages = ({ url, pages }: Contents): string[] => {
  const folder = new URL('.', url).href
  return pages.flatMap((page) => (page.url.startsWith(folder) ? [page.url] : []))
}

/** A permanent failure means that there is no list; a transient one ends the listing. */
function unlessTransient(error: unknown): undefined {
  if (isTransient(error)) throw error
}

const entryOf = (url: string): ListedPage => ({ location: { kind: 'web', url }, stamp: '' })

function unique(entries: readonly ListedPage[]): ListedPage[] {
  const byUrl = new Map<string, ListedPage>()
  for (const entry of entries)
    if (entry.location.kind === 'web') byUrl.set(entry.location.url, entry)
  return [...byUrl.values()]
}

/** A file in the folder of the source, and at the root of its host. */
const siblings = (source: string, name: string): Set<string> =>
  new Set([new URL(name, source).href, new URL(`/${name}`, source).href])
