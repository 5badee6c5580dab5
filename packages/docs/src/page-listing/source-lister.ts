import type { FolderWatch } from '#base/watch-folders'
import { decodeHtml } from '#fetch/decode-html'
import type { FrontPageReader } from '#fetch/front-page'
import type { HttpClient, HttpResponse } from '#fetch/http-client'
import { isTransient } from '#fetch/retry'
import { Robots } from '#fetch/robots'
import type { PageLink } from '#formats/format'
import { formatOf } from '#formats/page-format'
import { html } from '#formats/readers/html'
import { findPublishedIndex } from '#sites/published-index/find-published-index'
import type { Sites } from '#sites/site-search/open-sites'
import type { CleanPool } from '../page/clean-pool.ts'
import type { Proposal } from '../search-index/proposed-page.ts'
import type { DocsSource } from './docs-source.ts'
import { LinkFollower, viaFailedRobots, viaLinks } from './follow-links.ts'
import { listFiles } from './list-files.ts'
import { listLlms, readLlmsFull } from './list-llms.ts'
import { listSitemap } from './list-sitemap.ts'
import { type ListedPage, type Listing, linkStamp } from './listing.ts'

export interface SourceListerOptions {
  client: HttpClient
  front: FrontPageReader
  sites: Sites
  cleaner: CleanPool
  maxPages: number
}

/** At most this many times as many pages are listed, to be found by name, as are read. */
export const listedPerRead = 10

/** Lists the pages of a source, or follows their links. */
export class SourceLister {
  readonly follower: LinkFollower
  readonly #robots: Robots
  readonly #options: SourceListerOptions

  constructor(options: SourceListerOptions) {
    this.#options = options
    this.#robots = new Robots(options.client)
    this.follower = new LinkFollower(this.#robots)
  }

  async list(source: DocsSource, signal: AbortSignal, watch?: FolderWatch): Promise<Listing> {
    if (source.kind === 'pack') return { via: 'pack', entries: [], more: false }
    if (source.kind === 'library') return source.list(this.#options.maxPages)
    if (source.kind !== 'site') return listFiles(source, this.#options.maxPages, watch)
    return this.#listSite(source.url, signal)
  }

  /**
   * Pages of a site below the source, by the first way that finds any: the contents of a guide; the
   * published index; llms.txt, llms-full.txt or a sitemap, in the folder of the source or at the
   * root of its host. Links are followed in addition, unless the source itself is a list.
   */
  async #listSite(siteUrl: string, signal: AbortSignal): Promise<Listing> {
    const { client, sites, cleaner, maxPages } = this.#options
    const { follower } = this
    const robots = this.#robots
    // An adapter may have its own way to list or name pages.
    const site = sites.at(siteUrl)?.site
    const maxListed = maxPages * listedPerRead
    // All ways need it.
    void robots.delayOf(siteUrl)
    const front = await this.#options.front(siteUrl)
    // A redirect to another host moves the source; one on the same host only opens a start page.
    const hasMoved = front && new URL(front.url).host !== new URL(siteUrl).host
    const source = hasMoved ? front.url : siteUrl
    const first: ListedPage = { location: { kind: 'web', url: source }, stamp: '' }
    if (await robots.hasFailed(source))
      return { via: viaFailedRobots, entries: front ? [first] : [], more: false }
    const { pathname } = new URL(source)
    if (/\.xml(?:\.gz)?$/i.test(pathname)) {
      const urlset = await listSitemap(client, source, maxListed, () => true)
      return read('sitemap', urlset?.entries ?? [], urlset?.more)
    }
    if (/\/llms[\w-]*\.txt$/.test(pathname))
      return read('llms.txt', (await listLlms(client, source, maxListed, () => true)) ?? [])
    const folder = new URL('.', source).href
    const isRequested = (url: string) => url.startsWith(folder)
    const listing = await list()
    const links = front ? linksOf(front) : []
    const { allowed, forbidden, more } = await follower.pagesOf(links, folder, front?.url ?? source)
    const further = listing.via === viaLinks ? await this.#linksOfLists(allowed, folder) : []
    return {
      ...listing,
      more: listing.more || more,
      links: [...(front ? [{ ...first, stamp: linkStamp }] : []), ...allowed, ...further],
      forbidden: (listing.forbidden ?? 0) + forbidden.length,
      follow: folder,
    }

    async function list(): Promise<Listing> {
      const contents = await site?.contents?.(source, signal).catch((error) => {
        // A permanent failure means that there is no list; a transient one ends the listing.
        if (isTransient(error)) throw error
      })
      if (contents) {
        // The others belong to other guides.
        const below = new URL('.', contents.url).href
        const guidePages = contents.pages.filter(({ url }) => url.startsWith(below))
        return read('contents of the guide', guidePages.map(entryOf), contents.more)
      }
      const index = front && (await findPublishedIndex(front, client))
      const pages = index?.pages.filter(({ url }) => isRequested(url)) ?? []
      if (pages.length > 0) return read(`${index?.generator} index`, pages.map(entryOf))
      for (const name of siblings(source, 'llms.txt')) {
        const entries = await listLlms(client, name, maxListed, isRequested, site?.pageUrl)
        if (entries) return read('llms.txt', entries)
      }
      for (const name of siblings(source, 'llms-full.txt')) {
        const fullPages = await readLlmsFull(client, cleaner, name, isRequested)
        if (fullPages) return { via: 'llms-full.txt', entries: [], pages: fullPages, more: false }
      }
      for (const name of siblings(source, 'sitemap.xml')) {
        const urlset = await listSitemap(client, name, maxListed, isRequested)
        if (urlset && urlset.entries.length > 0) return read('sitemap', urlset.entries, urlset.more)
      }
      return read(viaLinks, front ? [first] : [])
    }

    async function read(via: string, pages: ListedPage[], more = false): Promise<Listing> {
      const some = pages.slice(0, maxListed)
      const entries: ListedPage[] = []
      for (const entry of some) {
        const { location } = entry
        if (location.kind === 'file' || (await robots.isAllowed(location.url))) entries.push(entry)
      }
      const forbidden = some.length - entries.length
      return { via, entries, more: more || pages.length > maxListed, forbidden }
    }
  }

  /** The pages that the contents and the index of a manual link to. */
  async #linksOfLists(pages: readonly ListedPage[], folder: string): Promise<ListedPage[]> {
    const urls = pages.flatMap(({ location }) => (location.kind === 'web' ? [location.url] : []))
    const lists = urls.filter((url) => listName.test(url)).slice(0, maxLists)
    const responses = await Promise.all(
      lists.map((url) => this.#options.client.request(url).catch(() => undefined)),
    )
    const pagesOf = async (response: HttpResponse | undefined) =>
      response ? (await this.follower.pagesOf(linksOf(response), folder, response.url)).allowed : []
    return (await Promise.all(responses.map(pagesOf))).flat()
  }
}

const listName = /\/(?:(?:gen|book)?index|contents|toc|sitemap)\.x?html?$/i
const maxLists = 3

function linksOf(response: HttpResponse): PageLink[] {
  const text = decodeHtml(response.bytes, response.charset)
  return (formatOf(response, text) ?? html).links(text, response.url)
}

const entryOf = ({ url, ...proposal }: Proposal & { url: string }): ListedPage => ({
  ...proposal,
  location: { kind: 'web', url: url.split('#')[0] ?? url },
  stamp: '',
})

/** A file in the folder of the source, and at the root of its host. */
const siblings = (source: string, name: string): Set<string> =>
  new Set([new URL(name, source).href, new URL(`/${name}`, source).href])
