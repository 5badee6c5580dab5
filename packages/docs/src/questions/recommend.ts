import type { CallOptions } from '../protocol/call-options.ts'
import { DocsError } from '../protocol/docs-error.ts'
import { quoteValue } from '../protocol/quote-value.ts'
import type { Sites } from '../site-search/open-sites.ts'
import type { Recommendation } from '../site-search/port/site.ts'

/** Recommendations of the site of a page. */
export async function recommend(
  sites: Sites,
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
