import type { HttpClient } from '../../fetch/http-client.ts'

/** One page or section that a site's own search found. */
export interface SiteHit {
  /** Absolute; a fragment names the section. */
  url: string
  /** Of the page. */
  title: string
  /** Titles around the section and its own, outermost first, where the search knows them. */
  path: string[]
  /** Plain text on one line, at most 2,000 characters; empty if the search gives none. */
  excerpt: string
  /** Of the page: titles of its sections, and of those that answer best. */
  sections?: string[]
  recommended?: string[]
  /** Other pages about the same. */
  links?: { url: string; section?: string; fragment?: string }[]
}

export interface SiteAnswer {
  /** Best first. */
  hits: SiteHit[]
  /** Matches, shown or not, where the search counts them. */
  total?: number
  /** Values by which the matches can be narrowed, by the names that `filters` takes. */
  facets?: Record<string, string[]>
  /** Identifies the question, where the service says so. */
  queryId?: string
  /** What a service says beside the matches, as it says it. */
  context?: Record<string, unknown>
  /** None of the hits is in the language that was asked for, as far as is known. */
  isOtherLanguage?: boolean
  /** Why the search failed; the hits were then found in a way that finds less. */
  problem?: string
}

export interface SiteQuery {
  /** 1–100. */
  limit: number
  /** One of those the adapter states, or any tag if it states none. */
  language?: string | undefined
  /** Values to narrow by, by the names that the adapter states. */
  filters?: Readonly<Record<string, readonly string[]>> | undefined
  /** What the asker is after, for services that take it. */
  intent?: string | undefined
  signal?: AbortSignal | undefined
}

/** A page that a site recommends beside another. */
export interface Recommendation {
  group: 'highly rated' | 'read next' | 'new' | 'similar'
  url: string
  title: string
  /** What it is about, why it is named, or since when it is there. */
  about?: string
}

/** The table of contents of a guide: its pages in order. */
export interface Contents {
  url: string
  /** A group that is no page itself has an empty `url`. */
  pages: { url: string; title: string; level: number }[]
  /** There are more than were read. */
  more: boolean
}

/**
 * What a site answers itself. Methods must throw `DocsError` for every failure, or the reason of the
 * signal; an answer that is none must be an error, never an empty answer. Whatever comes from outside
 * is checked, bounded and stripped of markup. Nothing is kept that a change of the site makes wrong
 * for more than an hour.
 */
export interface Site {
  search?(query: string, options: SiteQuery): Promise<SiteAnswer>
  recommend?(url: string, signal?: AbortSignal): Promise<Recommendation[]>
  /** The guide that a page, or a list of contents, belongs to; undefined if it has no list. */
  contents?(url: string, signal?: AbortSignal): Promise<Contents | undefined>
  /** True of the URL of such a list. */
  isContents?(url: string): boolean
  /** Where a page that a list of the site names is read; default: there. */
  pageUrl?(url: string): string
}

interface SiteContext {
  client: HttpClient
  /** What the operator named: the site or a part of it. */
  source: string
}

/** The first page of a source, by which the service behind a site is recognised. */
export interface Front {
  url: string
  html: string
  /** Another file of the site, such as a script that the page loads; undefined if it is not there. */
  read(url: string): Promise<string | undefined>
}

/** Hosts, paths, keys and names, each by its name. */
export type SiteOptions = Readonly<Record<string, string>>

/** How one site, or one service that many sites have, is asked. */
export interface SiteAdapter<Options extends SiteOptions = SiteOptions> {
  /** As `--site` and the settings name it. */
  name: string
  /** As an answer names it. */
  title: string
  /** Every host and path, with those of the public site; empty where a page or the operator says it. */
  defaults: Options
  /** What it can do beside searching. */
  abilities?: readonly string[]
  /** Tags that a search takes, the default first; absent if it takes any, empty if it takes none. */
  languages?: readonly string[]
  /** Names by which a search can be narrowed. */
  filters?: readonly string[]
  /** True of the one site it is for. Services that many sites have are recognised by a page. */
  isAt?(url: URL, options: Options): boolean
  /** Markdown beside its pages is not what the pages say: they are read as HTML. */
  readsHtml?: boolean
  /** Options that a front page states; undefined if the page is not of this service. */
  recognise?(front: Front): Promise<Partial<Options> | undefined>
  open(options: Options, context: SiteContext): Site
}

/** Ties the type of `open`'s options to the defaults. */
export const defineSite = <const Name extends string>(
  adapter: SiteAdapter<Readonly<Record<Name, string>>>,
): SiteAdapter => adapter as SiteAdapter
