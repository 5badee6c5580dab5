import type { SourceIndexes } from '../indexer/source-indexes.ts'
import type { CallOptions } from '../protocol/call-options.ts'
import { DocsError } from '../protocol/docs-error.ts'
import { quoteValue } from '../protocol/quote-value.ts'
import type { Sites } from '../site-search/open-sites.ts'
import type {
  Recommendation,
  SiteAnswer,
  SiteOptions,
  SiteQuery,
} from '../site-search/port/site.ts'
import { adapterNamed, optionsOf, type SiteSettings } from '../site-search/site-settings.ts'
import { checkQuery } from './check-query.ts'
import { type GuideContents, type GuideOptions, guideContents } from './guide-contents.ts'

/** Questions to the site of a source or page, not to its pages. */
export interface SiteQuestions {
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
}

export function createSiteQuestions(
  indexes: SourceIndexes,
  sites: Sites,
  siteSettings: SiteSettings,
): SiteQuestions {
  return {
    async querySiteSearch(source, query, { limit = 10, ...options } = {}) {
      checkQuery(query)
      const [open] = await indexes.open(source)
      const found = await open?.site()
      if (!found?.site.search) throw noSiteSearch(source, sites.off)
      const maxHits = Math.min(Math.max(1, Math.floor(limit) || 1), 100)
      return found.site.search(query, { ...options, limit: maxHits })
    },
    async recommend(url, { signal } = {}) {
      const site = sites.at(url)?.site
      if (!site?.recommend)
        throw new DocsError(
          'no_source',
          sites.off === undefined
            ? `The site of ${quoteValue(url)} has no recommendations.`
            : `Recommendations for ${quoteValue(url)} are not available: ${sites.off}.`,
          'Follow the links of the page instead.',
        )
      return site.recommend(url, signal)
    },
    isContents: (url) => sites.at(url)?.site.isContents?.(url) ?? false,
    async contents(url, { signal, ...options } = {}) {
      const contents = await sites.at(url)?.site.contents?.(url, signal)
      return contents && guideContents(contents, options)
    },
    siteOptions: (name) => optionsOf(adapterNamed(name), siteSettings),
    async describe(source) {
      const [open] = await indexes.open(source)
      if (!open) throw noSiteSearch(source, sites.off)
      const { index } = open
      const found = await open.site()
      const listing = await index.state('listing')
      return {
        name: open.source.name,
        ...(found && {
          site: {
            name: found.adapter.name,
            title: found.adapter.title,
            search: found.site.search !== undefined,
          },
        }),
        via: listing === undefined ? '' : String((JSON.parse(listing) as { via: string }).via),
      }
    },
  }
}

function noSiteSearch(source: string, off: string | undefined): DocsError {
  return new DocsError(
    'no_source',
    off === undefined
      ? `The site of ${quoteValue(source)} has no supported search.`
      : `The search of ${quoteValue(source)} is not available: ${off}.`,
    'Read pages by their URL.',
  )
}

/** How a source is searched. */
export interface SourceDescription {
  /** Name in answers. */
  name: string
  /**
   * The site or service of the source: its name, the name of its search, and whether it has one.
   */
  site?: { name: string; title: string; search: boolean }
  /** How pages were listed for the local index; empty before the first listing. */
  via: string
}
