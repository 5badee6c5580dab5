import type { SourceIndexes } from '../indexer/source-indexes.ts'
import { DocsError } from '../protocol/docs-error.ts'
import { quoteValue } from '../protocol/quote-value.ts'
import { checkQuery } from '../search/check-query.ts'
import type { Sites } from '../site-search/open-sites.ts'
import type { SiteAnswer, SiteQuery } from '../site-search/port/site.ts'

/** What the questions about the site of a source depend on. */
export interface SiteDeps {
  indexes: SourceIndexes
  sites: Sites
}

/** The complete answer of the search of a source's site. */
export async function querySiteSearch(
  { indexes, sites }: SiteDeps,
  source: string,
  query: string,
  { limit = 10, ...options }: Partial<SiteQuery> = {},
): Promise<SiteAnswer> {
  checkQuery(query)
  const [open] = await indexes.open(source)
  const found = await open?.site()
  if (!found?.site.search) throw noSiteSearch(source, sites.off)
  const maxHits = Math.min(Math.max(1, Math.floor(limit) || 1), 100)
  return found.site.search(query, { ...options, limit: maxHits })
}

export function noSiteSearch(source: string, off: string | undefined): DocsError {
  return new DocsError(
    'no_source',
    off === undefined
      ? `The site of ${quoteValue(source)} has no supported search.`
      : `The search of ${quoteValue(source)} is not available: ${off}.`,
    'Read pages by their URL.',
  )
}
