import { DocsError } from '../docs-error.ts'
import type { HttpClient, HttpResponse } from '../fetch/http-client.ts'
import type { ApartCleaner } from '../page/clean-apart.ts'
import { findStaticIndex } from '../static-index/find-static-index.ts'
import { crawl } from './crawl.ts'
import { listLlms, readLlmsFull } from './list-llms.ts'
import { listSitemap, type SitemapListing } from './list-sitemap.ts'
import type { ListedPage, Listing } from './listing.ts'
import type { Robots } from './robots.ts'

export interface ListSiteOptions {
  client: HttpClient
  cleaner: ApartCleaner
  robots: Robots
  mostPages: number
  signal: AbortSignal
}

/**
 * Pages of a site below the source, by the first way that gives any: the search index that the site
 * brings itself; llms.txt, llms-full.txt or a sitemap, beside the source or at the root of its host;
 * the links from page to page.
 */
export async function listSite(named: string, options: ListSiteOptions): Promise<Listing> {
  const { client, mostPages, robots } = options
  const front = await readFront(named, client)
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
    const entries = await listLlms(client, name, mostPages, isWanted)
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
    const first: ListedPage = { location: { kind: 'web', url: source }, stamp: '' }
    return read('sitemap', [first, ...listed.entries], listed)
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

/**
 * The page that the source names; undefined for a folder that has none. A site that cannot be reached
 * now has no pages to list, and that must not be taken for a site without pages.
 */
async function readFront(source: string, client: HttpClient): Promise<HttpResponse | undefined> {
  try {
    return await client.get(source, { accept: '*/*', maxBytes: mostBytes })
  } catch (error) {
    if (error instanceof DocsError && error.code === 'not_found') return undefined
    throw error
  }
}

/** Of lists; they may be larger than a page. */
const mostBytes = 64 * 2 ** 20

function unique(entries: readonly ListedPage[]): ListedPage[] {
  const byUrl = new Map<string, ListedPage>()
  for (const entry of entries)
    if (entry.location.kind === 'web') byUrl.set(entry.location.url, entry)
  return [...byUrl.values()]
}

/** A file in the folder of the source, and at the root of its host. */
const beside = (source: string, name: string): Set<string> =>
  new Set([new URL(name, source).href, new URL(`/${name}`, source).href])
