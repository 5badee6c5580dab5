import type { FrontPageReader } from '../fetch/front-page.ts'
import type { HttpClient } from '../fetch/http-client.ts'
import { isTransient } from '../fetch/retry.ts'
import type { Robots } from '../fetch/robots.ts'
import type { CleanPool } from '../page/clean-pool.ts'
import { findPublishedIndex } from '../published-index/find-published-index.ts'
import type { Proposal } from '../search-index/proposed-page.ts'
import type { Contents, Site } from '../site-search/port/site.ts'
import { crawled, viaLinks } from './crawl.ts'
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
  maxListed: number
  signal: AbortSignal
}

/**
 * Pages of a site below the source, by the first way that finds any: the contents of a guide; the
 * published index; llms.txt, llms-full.txt or a sitemap, in the folder of the source or at the root
 * of its host; a crawl.
 */
export async function listSite(named: string, options: ListSiteOptions): Promise<Listing> {
  const { client, maxListed, robots, site } = options
  const front = await options.front(named)
  // A redirect to another host moves the source; one on the same host only opens a start page.
  const hasMoved = front && new URL(front.url).host !== new URL(named).host
  const source = hasMoved ? front.url : named
  const { pathname } = new URL(source)
  if (/\.xml(?:\.gz)?$/i.test(pathname)) {
    const listed = await listSitemap(client, source, maxListed, () => true)
    return read('sitemap', listed?.entries ?? [], listed)
  }
  if (/\/llms[\w-]*\.txt$/.test(pathname))
    return read('llms.txt', (await listLlms(client, source, maxListed, () => true)) ?? [])
  const folder = new URL('.', source).href
  const isRequested = (url: string) => url.startsWith(folder)

  const contents = await site?.contents?.(source, options.signal).catch(unlessTransient)
  if (contents) return read('contents of the guide', ownPages(contents), contents)
  const index = front && (await findPublishedIndex(front, client))
  if (index) {
    const pages = index.pages.filter(({ url }) => isRequested(url))
    const listing = await read(`${index.generator} index`, pages.map(entryOf))
    if (listing.entries.length > 0) return index.isPart ? linked(listing) : listing
  }
  for (const name of siblings(source, 'llms.txt')) {
    const entries = await listLlms(client, name, maxListed, isRequested, site?.pageUrl)
    if (entries) return read('llms.txt', entries)
  }
  for (const name of siblings(source, 'llms-full.txt')) {
    const pages = await readLlmsFull(client, options.cleaner, name, isRequested)
    if (pages) return { via: 'llms-full.txt', entries: [], pages, more: false }
  }
  for (const name of siblings(source, 'sitemap.xml')) {
    const listed = await listSitemap(client, name, maxListed, isRequested)
    if (!listed || listed.entries.length === 0) continue
    return read('sitemap', [entryOf({ url: source }), ...listed.entries], listed)
  }
  return linked({ via: viaLinks, entries: [], more: false, forbidden: 0 })

  /** The pages that the front page links to, and that these link to, in addition to a listing. */
  async function linked(listing: Listing): Promise<Listing> {
    const { entries, forbidden = 0 } = listing
    const first = front && (await crawled(source, front, 0, folder, options).catch(() => undefined))
    return {
      ...listing,
      entries: unique([...(first?.links ?? []), ...entries]),
      pages: first ? [first.page].filter(({ sections }) => sections.length > 0) : [],
      forbidden: forbidden + (first?.forbidden.length ?? 0),
      follow: folder,
    }
  }

  async function read(
    via: string,
    listed: ListedPage[],
    { more = false, isPartial = false }: Partial<SitemapListing> = {},
  ): Promise<Listing> {
    const all = unique(listed)
    const some = all.slice(0, maxListed)
    const entries: ListedPage[] = []
    for (const entry of some) {
      const { location } = entry
      if (location.kind === 'file' || (await robots.isAllowed(location.url))) entries.push(entry)
    }
    return {
      via,
      entries,
      more: more || all.length > maxListed,
      isPartial,
      forbidden: some.length - entries.length,
    }
  }
}

/** Pages in the folder of a list; the others belong to other guides. */
function ownPages({ url, pages }: Contents): ListedPage[] {
  const folder = new URL('.', url).href
  return pages.filter((page) => page.url.startsWith(folder)).map(entryOf)
}

/** A permanent failure means that there is no list; a transient one ends the listing. */
function unlessTransient(error: unknown): undefined {
  if (isTransient(error)) throw error
}

const entryOf = ({ url, ...proposal }: Proposal & { url: string }): ListedPage => ({
  ...proposal,
  location: { kind: 'web', url: url.split('#')[0] ?? url },
  stamp: '',
})

/** The first entry of each page. */
function unique(entries: readonly ListedPage[]): ListedPage[] {
  const byUrl = new Map<string, ListedPage>()
  for (const entry of entries) {
    const name = entry.location.kind === 'web' ? entry.location.url : entry.location.path
    if (!byUrl.has(name)) byUrl.set(name, entry)
  }
  return [...byUrl.values()]
}

/** A file in the folder of the source, and at the root of its host. */
const siblings = (source: string, name: string): Set<string> =>
  new Set([new URL(name, source).href, new URL(`/${name}`, source).href])
