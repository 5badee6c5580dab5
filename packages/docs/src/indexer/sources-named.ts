import type { DocsSource } from '../page-listing/docs-source.ts'
import { DocsError } from '../protocol/docs-error.ts'
import { parseLocation } from '../protocol/parse-location.ts'
import { quoteValue } from '../protocol/quote-value.ts'
import type { Sites } from '../site-search/open-sites.ts'

/**
 * The configured sources with a name, of a site or service with the name, or whose names contain
 * it; otherwise the site at a URL, which need not be configured.
 *
 * @throws {DocsError} `bad_argument` for a name that is neither.
 */
export function sourcesNamed(
  name: string,
  sources: readonly DocsSource[],
  sites: Sites,
): DocsSource[] {
  const exact = sources.filter((source) => source.name === name)
  if (exact.length > 0) return exact
  const ofSite = sources.filter(
    (source) => source.kind === 'site' && sites.at(source.url)?.adapter.name === name,
  )
  if (ofSite.length > 0) return ofSite
  const lower = name.toLowerCase()
  const alike = sources.filter((source) => source.name.toLowerCase().includes(lower))
  if (alike.length > 0) return alike
  if (/^https?:/i.test(name)) {
    const location = parseLocation(name)
    if (location.kind === 'web') return [{ kind: 'site', name: location.url, url: location.url }]
  }
  throw new DocsError(
    'bad_argument',
    `There is no source named ${quoteValue(name)}.`,
    sources.length > 0
      ? `Sources: ${sources
          .slice(0, 20)
          .map((source) => source.name)
          .join(', ')}. Or pass the URL of a documentation site.`
      : 'Pass the URL of a documentation site.',
  )
}
