import { type Page, subtreeOf } from '@pith-mcp/cleaner'
import { checkQuery } from './answer/check-query.ts'
import { createSource, type Excerpt, type ReadOptions, readExcerpt } from './answer/excerpt.ts'
import { type FindOptions, type Found, findIn } from './answer/find-in.ts'
import { pickSection } from './answer/pick-section.ts'
import { type SearchAnswer, type SearchOptions, searchIn } from './answer/search-in.ts'
import { type Toc, tocOf } from './answer/toc-of.ts'
import { DocsError } from './docs-error.ts'
import type { FetchLimits } from './fetch/fetch-bytes.ts'
import { createGuardedAgent } from './fetch/guarded-agent.ts'
import { type Location, parseLocation } from './location/parse-location.ts'
import { createPageReader } from './page-reader.ts'
import { createSiteIndex, type IndexProgress } from './site/site-index.ts'
import { listFolder } from './source/list-folder.ts'
import { listSite, type SiteListing } from './source/list-site.ts'
import { type DocsSource, openSources } from './source/open-sources.ts'

export interface DocsOptions {
  /** Folders, files, pages, sites or sitemaps to search; naming one also opens it for reading. */
  sources?: readonly string[]
  /** Bounds of one request. Default 20 s, 16 MB after decompression, 5 redirects. */
  limits?: Partial<FetchLimits>
  /** Most pages that a search looks through. Default 2,000. */
  maxPages?: number
  /** Most characters of text in one answer, whatever its caller asks. Default 20,000. */
  cap?: number
}

export interface SectionAnswer extends Excerpt {
  url: string
  title: string
  section: { id: string; title: string }
}

export interface ContentAnswer extends Excerpt {
  url: string
  title: string
}

/** Waiting for an answer can be given up; the work behind it is finished and kept. */
export interface CallOptions {
  signal?: AbortSignal
  /** Called as pages are read for a search. */
  onProgress?: (progress: IndexProgress) => void
}

/** Questions to documentation. Methods throw `DocsError`; `search` also the reason of its signal. */
export interface Docs {
  search(query: string, options?: SearchOptions & CallOptions): Promise<SearchAnswer>
  /** Sections of one page by words. */
  find(url: string, query: string, options?: FindOptions): Promise<Found>
  /** Titles and costs, of the page or of one section; `page` goes on in a long list. */
  toc(url: string, options?: { section?: string; page?: string }): Promise<Toc>
  /** One section with all it contains; by default the one the URL's fragment names. */
  section(url: string, name: string | undefined, options?: ReadOptions): Promise<SectionAnswer>
  content(url: string, options?: ReadOptions): Promise<ContentAnswer>
  /** Close the connections and stop reading pages for a search. */
  close(): Promise<void>
}

const defaultLimits: FetchLimits = { timeoutMs: 20_000, maxBytes: 16 * 2 ** 20, maxRedirects: 5 }

/** @throws {DocsError} if a source does not exist. */
export async function createDocs(options: DocsOptions = {}): Promise<Docs> {
  const { cap = 20_000, maxPages = 2_000 } = options
  const limits = { ...defaultLimits, ...options.limits }
  const { sources, access } = await openSources(options.sources ?? [])
  const dispatcher = createGuardedAgent(access, limits.timeoutMs)
  const reader = createPageReader({ access, dispatcher, limits })
  const closing = new AbortController()
  const siteListings = new Map<string, SiteListing & { listedAt: number }>()
  const index = createSiteIndex({
    list: listPages,
    read: (location) => reader.read(location),
    closed: closing.signal,
  })

  return {
    async search(query, searchOptions = {}) {
      checkQuery(query)
      if (sources.length === 0) throw noSource()
      const { signal, onProgress } = searchOptions
      return searchIn(await index.refresh({ signal, onProgress }), query, searchOptions)
    },
    async find(url, query, findOptions = {}) {
      const { page } = await open(url)
      return findIn(page, query, findOptions, cap)
    },
    async toc(url, { section, page: token } = {}) {
      const { page } = await open(url)
      return tocOf(page, section?.trim() ? pickSection(page, section) : undefined, token)
    },
    async section(url, name, readOptions = {}) {
      const { page, fragment } = await open(url)
      const section = pickSection(page, name?.trim() || fragment || missingName(page))
      const source = createSource(
        `${page.url}#${section.id}`,
        subtreeOf(page, section),
        readOptions.includeCodeBlocks ?? false,
      )
      return {
        url: page.url,
        title: page.title,
        section: { id: section.id, title: section.title || page.title },
        ...readExcerpt(source, readOptions, cap),
      }
    },
    async content(url, readOptions = {}) {
      const { page } = await open(url)
      const source = createSource(page.url, page.sections, readOptions.includeCodeBlocks ?? false)
      return { url: page.url, title: page.title, ...readExcerpt(source, readOptions, cap) }
    },
    async close() {
      closing.abort()
      await dispatcher.destroy()
    },
  }

  async function open(url: string): Promise<{ page: Page; fragment: string | undefined }> {
    const location = parseLocation(url)
    return { page: await reader.read(location), fragment: location.fragment }
  }

  async function listPages(): Promise<{ locations: Location[]; more: boolean }> {
    let locations: Location[] = []
    let more = false
    for (const source of sources) {
      const listing = await listSource(source, maxPages - locations.length)
      locations = locations.concat(listing.locations)
      more ||= listing.more
    }
    return { locations, more }
  }

  async function listKnownSite(url: string, most: number): Promise<SiteListing> {
    const known = siteListings.get(url)
    if (known && Date.now() - known.listedAt < listedMs) return known
    const listing = await listSite(url, dispatcher, limits, most)
    siteListings.set(url, { ...listing, listedAt: Date.now() })
    return listing
  }

  async function listSource(source: DocsSource, most: number) {
    if (source.kind === 'file') return { locations: [source], more: false }
    if (source.kind === 'folder') {
      const { paths, more } = await listFolder(source.path, most)
      return { locations: paths.map((path): Location => ({ kind: 'file', path })), more }
    }
    const { urls, more } = await listKnownSite(source.url, most)
    return { locations: urls.map((url): Location => ({ kind: 'web', url })), more }
  }
}

/** How long a site's list of pages is taken as it was. */
const listedMs = 60 * 60_000

function missingName(page: Page): never {
  throw new DocsError(
    'bad_argument',
    `No section of ${page.title ? `“${page.title}”` : 'the page'} is named.`,
    'Pass an id or title from the table of contents.',
  )
}

function noSource(): DocsError {
  return new DocsError(
    'no_source',
    'There is nothing to search: the server was started without a source.',
    'Read a page you know by its URL, or start the server with a folder, site or sitemap.',
  )
}
