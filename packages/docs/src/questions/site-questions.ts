import type { CallOptions } from '../common/call-options.ts'
import { DocsError } from '../common/docs-error.ts'
import { quoteValue } from '../common/quote-value.ts'
import type { SourceIndexes } from '../indexer/source-indexes.ts'
import { adapterNamed, type GivenSites, optionsOf } from '../site-search/given-sites.ts'
import type { Sites } from '../site-search/open-sites.ts'
import type {
  Recommendation,
  SiteAnswer,
  SiteOptions,
  SiteQuery,
} from '../site-search/port/site.ts'
import { checkQuery } from './check-query.ts'
import { type GuideContents, type GuideOptions, guideContents } from './guide-contents.ts'

/** What is asked of the site of a source or a page, not of its pages. */
export interface SiteQuestions {
  /**
   * What the search of one source's site answers, with all that it says: `no_source` is thrown
   * for a source whose site has no search.
   */
  askSite(source: string, query: string, options?: Partial<SiteQuery>): Promise<SiteAnswer>
  /** What the site of a page recommends beside it; `no_source` for a site that does not. */
  recommend(url: string, options?: CallOptions): Promise<Recommendation[]>
  /** True of the address of a list of the pages of a guide. */
  isContents(url: string): boolean
  /**
   * The pages of the guide that a page or such a list belongs to, as a list of Markdown; undefined for
   * a site without such lists.
   */
  contents(url: string, options?: GuideOptions & CallOptions): Promise<GuideContents | undefined>
  /** Options of an adapter as they are used: the defaults, and what was given. */
  siteOptions(name: string): SiteOptions
  /** How a source is searched. Looks at its first page at most. */
  describe(source: string): Promise<SourceDescription>
}

export function createSiteQuestions(
  indexes: SourceIndexes,
  sites: Sites,
  given: GivenSites,
): SiteQuestions {
  return {
    async askSite(source, query, { limit = 10, ...options } = {}) {
      checkQuery(query)
      const [open] = await indexes.open(source)
      const found = await open?.site()
      if (!found?.site.search) throw noSiteSearch(source, sites.off)
      const most = Math.min(Math.max(1, Math.floor(limit) || 1), 100)
      return found.site.search(query, { ...options, limit: most })
    },
    async recommend(url, { signal } = {}) {
      const site = sites.at(url)?.site
      if (!site?.recommend)
        throw new DocsError(
          'no_source',
          sites.off === undefined
            ? `No site recommends pages beside ${quoteValue(url)}.`
            : `What is recommended beside ${quoteValue(url)} is not asked: ${sites.off}.`,
          'Follow the links of the page instead.',
        )
      return site.recommend(url, signal)
    },
    isContents: (url) => sites.at(url)?.site.isContents?.(url) ?? false,
    async contents(url, { signal, ...options } = {}) {
      const contents = await sites.at(url)?.site.contents?.(url, signal)
      return contents && guideContents(contents, options)
    },
    siteOptions: (name) => optionsOf(adapterNamed(name), given),
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
        rung: listing === undefined ? '' : String((JSON.parse(listing) as { rung: string }).rung),
      }
    },
  }
}

function noSiteSearch(source: string, off: string | undefined): DocsError {
  return new DocsError(
    'no_source',
    off === undefined
      ? `The site of ${quoteValue(source)} has no search that is known here.`
      : `The search of ${quoteValue(source)} is not asked: ${off}.`,
    'Read pages by their URL.',
  )
}

export interface SourceDescription {
  /** As answers name it. */
  name: string
  /** The site or service behind it: its name, what its search is called, and whether it has one. */
  site?: { name: string; title: string; search: boolean }
  /** How its pages were listed for the index made here; empty if they were not yet. */
  rung: string
}
