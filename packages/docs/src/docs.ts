import type { CallOptions } from './common/call-options.ts'
import type { Origin } from './common/rung.ts'
import type { ProxyOptions } from './fetch/guarded-agent.ts'
import type { FetchLimits, HostHeaders } from './fetch/http-client.ts'
import type { Excerpt, ReadOptions } from './questions/excerpt.ts'
import type { FindOptions, Found } from './questions/find-in.ts'
import type { SectionsAnswer } from './questions/read-sections.ts'
import type { Related } from './questions/related.ts'
import type { SearchOptions } from './questions/search-in.ts'
import type { SearchedSource } from './questions/search-indexes.ts'
import type { SearchAnswer } from './questions/search-sources.ts'
import type { FoundRows, TableOptions } from './questions/search-table.ts'
import type { SiteQuestions } from './questions/site-questions.ts'
import type { Toc } from './questions/toc-of.ts'
import type { GivenSites } from './site-search/given-sites.ts'

export interface DocsOptions {
  /**
   * Folders, files, archives, packs, pages, sites or sitemaps to search; naming one also opens it
   * for reading.
   */
  sources?: readonly string[]
  /**
   * Bounds of one request. Default 20 s, 16 MB after decompression, 5 redirects, 2 retries, 6
   * requests to a host at once and 30 in a second.
   */
  limits?: Partial<FetchLimits>
  /** Most pages that a search of one source looks through. Default 2,000. */
  maxPages?: number
  /** Most characters of text in one answer, whatever its caller asks. Default 20,000. */
  cap?: number
  /** Where pages and indexes are kept; without it they end with the process. */
  cacheFolder?: string
  /** Most bytes of pages in that folder, compressed. Default 512 MB. */
  maxCacheBytes?: number
  /** Nothing is fetched: what is kept, in packs and on disk is all there is. */
  offline?: boolean
  proxy?: ProxyOptions
  /** Headers for requests to one host, such as a token for private documentation. */
  headers?: HostHeaders
  /** Networks that may be reached though they are not public: `10.1.0.0/16`. */
  networks?: readonly string[]
  /** If there are any, pages of no other hosts are read: `docs.example.org`, `*.example.org`. */
  only?: readonly string[]
  /**
   * Options of the sites and services whose own search is asked: by their name, or by the URL of a
   * source, then with the name as `service`.
   */
  sites?: GivenSites
  /** False: no site's own search is asked, only indexes made here. Default true. */
  siteSearch?: boolean
  /** How requests name who asks. Default `pith-docs`. */
  userAgent?: string
  /** What a search waits for pages to be read, in milliseconds. Default 20,000. */
  searchWaitMs?: number
  /** Told what an operator should know: a file that was damaged and begun anew. */
  onNotice?: (text: string) => void
}

export interface SectionAnswer extends Excerpt {
  url: string
  title: string
  section: { id: string; title: string }
  origin: Origin
}

export interface ContentAnswer extends Excerpt {
  url: string
  title: string
  origin: Origin
}

export interface SourceOption {
  /** One source, by its name or a part of it; or the URL of any documentation site. */
  source?: string
}

/** Questions to documentation. Methods throw `DocsError`; `search` also the reason of its signal. */
export interface Docs extends SiteQuestions {
  search(query: string, options?: SearchOptions & SourceOption & CallOptions): Promise<SearchAnswer>
  /** Sections of one page by words. */
  find(url: string, query: string, options?: FindOptions): Promise<Found & { origin: Origin }>
  /** Rows of a page's tables by words, of one section or all. */
  searchTable(
    url: string,
    query: string,
    options?: TableOptions & { section?: string },
  ): Promise<FoundRows & { origin: Origin }>
  /**
   * Titles and costs, of the page or of one section; `page` goes on in a long list. Sections that
   * changed since they were read are marked, those that are gone are named.
   */
  toc(
    url: string,
    options?: { section?: string; page?: string },
  ): Promise<Toc & { gone: string[]; origin: Origin }>
  /** One section with all it contains; by default the one the URL's fragment names. */
  section(url: string, name: string | undefined, options?: ReadOptions): Promise<SectionAnswer>
  /** Several sections, within one budget; names that no section has are told. */
  sections(
    url: string,
    names: readonly string[],
    options?: Pick<ReadOptions, 'maxLength' | 'includeCodeBlocks' | 'tables'>,
  ): Promise<SectionsAnswer & { origin: Origin }>
  content(url: string, options?: ReadOptions): Promise<ContentAnswer>
  /** Where to read on from a page, or from one of its sections. */
  related(
    url: string,
    section?: string,
    options?: CallOptions,
  ): Promise<Related & { origin: Origin }>
  /** Read all pages of the sources that are new or changed; ends when all are searchable. */
  update(options?: SourceOption & CallOptions): Promise<SearchedSource[]>
  /** Pages of the indexes whose URL or title contains a text; by default 20. */
  pagesLike(text: string, limit?: number): Promise<{ url: string; title: string }[]>
  /** Ids of the sections of a page, in order. */
  sectionIds(url: string): Promise<string[]>
  /** Write all pages of the sources and their index into one file, to be a source itself. */
  writePack(path: string, options?: CallOptions): Promise<{ pages: number; failed: number }>
  /** Close the connections, stop reading pages for a search, keep what was read. */
  close(): Promise<void>
}
