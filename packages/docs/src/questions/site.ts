import { DocsError, quoteValue } from '#formats/docs-error'
import type { LibraryDescription } from '#installed/libraries/open-libraries'
import type {
  Recommendation,
  SiteAnswer,
  SiteOptions,
  SiteQuery,
} from '#sites/site-search/port/site'
import { adapterNamed, optionsOf } from '#sites/site-search/site-settings'
import type { CallOptions } from '../protocol/call-options.ts'
import { checkQuery } from '../search/check-query.ts'
import type { Deps } from './deps.ts'

/** What the project has installed, or plans: direct dependencies first. None without a project. */
export const libraries = async ({ libraries: installed }: Deps): Promise<LibraryDescription[]> =>
  (await installed?.list()) ?? []

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

/** How a source is searched. Fetches at most its first page. */
export async function describe(
  { indexes, sites }: Deps,
  source: string,
): Promise<SourceDescription> {
  const [open] = await indexes.open(source)
  if (!open) throw noSiteSearch(source, sites.off)
  const match = await open.site()
  const listing = await open.index.state('listing')
  return {
    name: open.source.name,
    ...(match && {
      site: {
        name: match.adapter.name,
        title: match.adapter.title,
        search: match.site.search !== undefined,
      },
    }),
    via: listing === undefined ? '' : String((JSON.parse(listing) as { via: string }).via),
  }
}

/**
 * The complete answer of the search of a source's site.
 *
 * @throws {DocsError} `no_source` for a site without a search.
 */
export async function querySiteSearch(
  { indexes, sites }: Deps,
  source: string,
  query: string,
  { limit = 10, ...options }: Partial<SiteQuery> = {},
): Promise<SiteAnswer> {
  checkQuery(query)
  const [open] = await indexes.open(source)
  const match = await open?.site()
  if (!match?.site.search) throw noSiteSearch(source, sites.off)
  const maxHits = Math.min(Math.max(1, Math.floor(limit) || 1), 100)
  return match.site.search(query, { ...options, limit: maxHits })
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

/**
 * Recommendations of the site of a page.
 *
 * @throws {DocsError} `no_source` for a site without recommendations.
 */
export async function recommend(
  { sites }: Deps,
  url: string,
  { signal }: CallOptions = {},
): Promise<Recommendation[]> {
  const site = sites.at(url)?.site
  if (site?.recommend) return site.recommend(url, signal)
  throw new DocsError(
    'no_source',
    sites.off === undefined
      ? `The site of ${quoteValue(url)} has no recommendations.`
      : `Recommendations for ${quoteValue(url)} are not available: ${sites.off}.`,
    'Follow the links of the page instead.',
  )
}

/** Effective options of an adapter: the defaults and the settings. */
export const siteOptions = ({ settings }: Deps, name: string): SiteOptions =>
  optionsOf(adapterNamed(name), settings)
