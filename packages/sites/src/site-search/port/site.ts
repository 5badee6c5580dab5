import type { HttpClient } from '#fetch/http-client'

/** One page or section that the search of a site found. */
export interface SiteHit {
  /** Absolute; a fragment names the section. */
  url: string
  /** Title of the page. */
  title: string
  /**
   * Titles of the parent sections and of the section, outermost first, if the search returns them.
   */
  path: string[]
  /** Kind of the page, as the site names it: `Knowledge Base`, `Reference`. */
  kind?: string
  /** Plain text on one line, at most 2,000 characters; empty if the search returns none. */
  excerpt: string
  /** Titles of the page's sections, and of the best matching ones. */
  sections?: string[]
  recommended?: string[]
  /** Other pages on the subject. */
  links?: { url: string; section?: string; fragment?: string }[]
}

/** Results of a site search, best first. */
export interface SiteAnswer {
  /** Best first. */
  hits: SiteHit[]
  /** Number of all matches, if the search counts them. */
  total?: number
  /** Values to filter by, under the names of `filters`. */
  facets?: Record<string, string[]>
  /** Id of the query, if the service assigns one. */
  queryId?: string
  /** Additional data of the service, unchanged. */
  context?: Record<string, unknown>
  /** True if, as far as is known, no hit is in the requested language. */
  isOtherLanguage?: boolean
  /** Why the search failed; the hits then come from a fallback that finds less. */
  problem?: string
}

/** A query for a site search. */
export interface SiteQuery {
  /** 1–100. */
  limit: number
  /** A language of the adapter, or any tag if the adapter lists none. */
  language?: string | undefined
  /** Values to filter by, under the names that the adapter lists. */
  filters?: Readonly<Record<string, readonly string[]>> | undefined
  /** Purpose of the query, for services that accept it. */
  intent?: string | undefined
  signal?: AbortSignal | undefined
}

/** A page that a site recommends for another page. */
export interface Recommendation {
  group: 'highly rated' | 'read next' | 'new' | 'similar'
  url: string
  title: string
  /** Description of the page, the reason of the recommendation, or the date it was added. */
  about?: string
}

/** The table of contents of a guide: its pages in order. */
export interface Contents {
  url: string
  /** A group without a page has an empty `url`. */
  pages: { url: string; title: string; level: number }[]
  /** True if the guide has more pages. */
  more: boolean
}

/**
 * Functions of a site. Methods must throw `DocsError` for every failure, or the reason of the
 * signal; an unusable response must be an error, never an empty answer. External data must be
 * validated, bounded and stripped of markup. Data that changes with the site must not be cached for
 * more than an hour.
 */
export interface Site {
  search?(query: string, options: SiteQuery): Promise<SiteAnswer>
  recommend?(url: string, signal?: AbortSignal): Promise<Recommendation[]>
  /** The guide of a page or of a list of contents; undefined if it has no list. */
  contents?(url: string, signal?: AbortSignal): Promise<Contents | undefined>
  /** True for the URL of such a list. */
  isContents?(url: string): boolean
  /** Maps the URL in a list of the site to that of the page; by default the same. */
  pageUrl?(url: string): string
}

/** The first page of a source, by which its service is recognised. */
export interface Front {
  url: string
  html: string
  /** Another file of the site, such as a script of the page; undefined if it is missing. */
  read(url: string): Promise<string | undefined>
}

/** Hosts, paths, keys and names, each by its name. */
export type SiteOptions = Readonly<Record<string, string>>

/** Adapter of one site, or of a service that many sites use. */
export interface SiteAdapter<Options extends SiteOptions = SiteOptions> {
  /** Key in the settings. */
  name: string
  /** Name in answers. */
  title: string
  /** Hosts and paths of the public site; empty values come from the page or the operator. */
  defaults: Options
  /** Functions in addition to the search. */
  abilities?: readonly string[]
  /** Language tags of the search, the default first; absent if it accepts any, empty if none. */
  languages?: readonly string[]
  /** Names of the filters. */
  filters?: readonly string[]
  /**
   * True for URLs of the one site of the adapter. Services are recognised by their pages instead.
   */
  isAt?(url: URL, options: Options): boolean
  /** The Markdown of its pages differs from their HTML, so they are read as HTML. */
  readsHtml?: boolean
  /** Options that a front page states; undefined if the page is not of this service. */
  recognise?(front: Front): Promise<Partial<Options> | undefined>
  /** `source` is what the operator named: the site or a part of it. */
  open(options: Options, context: { client: HttpClient; source: string }): Site
}

/** Infers the type of `open`'s options from the defaults. */
export const defineSite = <const Name extends string>(
  adapter: SiteAdapter<Readonly<Record<Name, string>>>,
): SiteAdapter => adapter as SiteAdapter
