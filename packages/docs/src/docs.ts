import type { CleanOptions } from '@pith-mcp/cleaner'
import type { EmbeddingModel } from '@pith-mcp/scorer'
import type { ReadOptions } from './excerpt/excerpt.ts'
import type { FetchLimits, HostHeaders } from './fetch/http-client.ts'
import type { ProxyOptions } from './fetch/ssrf-guard.ts'
import type { Database } from './postgres/database.ts'
import type { CallOptions } from './protocol/call-options.ts'
import type { GuideContents, GuideOptions } from './questions/contents.ts'
import type { FindAnswer, FindOptions } from './questions/find.ts'
import type { Related, RelatedOptions } from './questions/related.ts'
import type { SourceOption } from './questions/search.ts'
import type { TableAnswer, TableOptions } from './questions/search-table.ts'
import type { ContentAnswer, SectionAnswer } from './questions/section.ts'
import type { SectionsAnswer, SectionsOptions } from './questions/sections.ts'
import type { SourceDescription } from './questions/site.ts'
import type { Toc, TocOptions } from './questions/toc.ts'
import type { SearchOptions } from './search/search-index.ts'
import type { SearchedSource } from './search/search-indexes.ts'
import type { SearchAnswer } from './search/search-sources.ts'
import type { Recommendation, SiteAnswer, SiteOptions, SiteQuery } from './site-search/port/site.ts'
import type { SiteSettings } from './site-search/site-settings.ts'

/** Sources, limits and caches; every member has a default. */
export interface DocsOptions {
  /**
   * Folders, files, archives, packs, pages, sites or sitemaps to search. A named source may also be
   * read.
   */
  sources?: readonly string[]
  /**
   * Bounds of one request. Default: 20 s, 16 MB after decompression, 5 redirects, 2 retries, 6
   * concurrent requests to a host and 30 per second.
   */
  limits?: Partial<FetchLimits>
  /**
   * At most this many pages of one source are read in advance. Of a site, ten times as many are
   * listed, and read when a search needs them. Default 2,000.
   */
  maxPages?: number
  /**
   * At most this many characters of text in one answer, whatever the caller requests. Default
   * 20,000.
   */
  cap?: number
  /**
   * Folder for cached pages and indexes. Without it they are held in memory and end with the
   * process.
   */
  cacheFolder?: string | undefined
  /** At most this many bytes of compressed pages in `cacheFolder`. Default 512 MB. */
  maxCacheBytes?: number
  /**
   * PostgreSQL, in which processes on several machines share pages and the indexes of sites: one of
   * them reads a site, and all search it. Folders, files and packs are indexed in `cacheFolder`. While
   * it cannot be used, pages are read live, and a search of a site fails.
   */
  database?: Database | undefined
  /** No network: only packs, files and cached pages are read. */
  offline?: boolean
  proxy?: ProxyOptions
  /** Headers for requests to one host, such as a token for private documentation. */
  headers?: HostHeaders
  /** Networks that may be reached although they are not public: `10.1.0.0/16`. */
  networks?: readonly string[]
  /** If not empty, only pages of these hosts are read: `docs.example.org`, `*.example.org`. */
  only?: readonly string[]
  /**
   * Options for the search services of sites, by the name of the service, or by the URL of a source
   * together with the name as `service`.
   */
  sites?: SiteSettings
  /** Use the search services of sites. If false, only local indexes are searched. Default true. */
  siteSearch?: boolean
  /**
   * An endpoint with OpenAI's embeddings API, whose model ranks what the words have found. It gets
   * the beginnings of the sections found and each query. `weight` (0–1, default 0.1) is the share of
   * its score by which a section may be raised. Not used with `offline`.
   */
  embeddings?: EmbeddingModel | undefined
  /** How HTML is parsed: by our own parser (`fast`, default) or by parse5 alone, its reference. */
  parser?: CleanOptions['parser']
  /** `User-Agent` of requests. Default `pith-docs`. */
  userAgent?: string | undefined
  /** Milliseconds that a search waits for a listing, or for the pages of a folder. Default 20,000. */
  searchWaitMs?: number
  /** Called with messages for the operator, such as a damaged file that was rebuilt. */
  onNotice?: (text: string) => void
}

/**
 * Reads and searches documentation.
 *
 * @throws {DocsError} from every method; `search` also rejects with the reason of its signal.
 */
export interface Docs {
  search(query: string, options?: SearchOptions & SourceOption & CallOptions): Promise<SearchAnswer>
  /** Search the sections of one page. */
  find(url: string, query: string, options?: FindOptions): Promise<FindAnswer>
  /** Search the rows of a page's tables, in one section or in the whole page. */
  searchTable(url: string, query: string, options?: TableOptions): Promise<TableAnswer>
  /**
   * Titles and sizes of the sections of a page or of one section. `page` continues a long list.
   * Sections that changed since the last read are marked; `removed` lists those that disappeared.
   */
  toc(url: string, options?: TocOptions): Promise<Toc>
  /** One section with all its subsections; by default the one that the URL's fragment names. */
  section(url: string, name: string | undefined, options?: ReadOptions): Promise<SectionAnswer>
  /** Several sections within one budget. Names without a section are listed in the answer. */
  sections(
    url: string,
    names: readonly string[],
    options?: SectionsOptions,
  ): Promise<SectionsAnswer>
  content(url: string, options?: ReadOptions): Promise<ContentAnswer>
  /** Ids of the sections of a page, in document order. */
  sectionIds(url: string): Promise<string[]>
  /** Pages to read after a page or one of its sections. */
  related(url: string, section?: string, options?: RelatedOptions): Promise<Related>
  /** Index all new and changed pages of the sources. Resolves when all are searchable. */
  update(options?: SourceOption & CallOptions): Promise<SearchedSource[]>
  /** Indexed pages whose URL or title contains `text`. Default limit 20. */
  pagesLike(text: string, limit?: number): Promise<{ url: string; title: string }[]>
  /** Write all pages of the sources and their index into one file, which can itself be a source. */
  writePack(path: string, options?: CallOptions): Promise<{ pages: number; failed: number }>
  /**
   * The complete answer of the search of a source's site.
   *
   * @throws {DocsError} `no_source` for a site without a search.
   */
  querySiteSearch(source: string, query: string, options?: Partial<SiteQuery>): Promise<SiteAnswer>
  /**
   * Recommendations of the site of a page.
   *
   * @throws {DocsError} `no_source` for a site without recommendations.
   */
  recommend(url: string, options?: CallOptions): Promise<Recommendation[]>
  /** True for the URL of a list of the pages of a guide. */
  isContents(url: string): boolean
  /**
   * The pages of the guide of a page or of such a list, as a Markdown list; undefined for a site
   * without lists.
   */
  contents(url: string, options?: GuideOptions & CallOptions): Promise<GuideContents | undefined>
  /** Effective options of an adapter: the defaults and the settings. */
  siteOptions(name: string): SiteOptions
  /** How a source is searched. Fetches at most its first page. */
  describe(source: string): Promise<SourceDescription>
  /** Close connections and stop indexing. What was read so far is stored. */
  close(): Promise<void>
}
