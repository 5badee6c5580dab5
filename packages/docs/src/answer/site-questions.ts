import type { Docs } from '../docs.ts'
import { DocsError } from '../docs-error.ts'
import type { SourceIndexes } from '../indexing/source-indexes.ts'
import { quoteValue } from '../quote-value.ts'
import { adapterNamed, type GivenSites, optionsOf } from '../sites/given-sites.ts'
import type { Sites } from '../sites/open-sites.ts'
import { checkQuery } from './check-query.ts'
import { guideContents } from './guide-contents.ts'

type SiteQuestions = Pick<
  Docs,
  'askSite' | 'recommend' | 'contents' | 'isContents' | 'siteOptions' | 'describe'
>

/** What is asked of the site of a source or a page, not of its pages. */
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
