import { createSectionRanker } from '@pith-mcp/scorer'
import { metaOf } from '../port/extract-config.ts'
import {
  hitAt,
  hitsIn,
  isObject,
  type Json,
  listIn,
  plainText,
  requestJson,
} from '../port/response.ts'
import {
  defineSite,
  type SiteAdapter,
  type SiteAnswer,
  type SiteHit,
  type SiteQuery,
} from '../port/site.ts'
import { withFallback } from '../port/with-fallback.ts'

/** The search of GitBook; if it fails, the titles and descriptions of its page index. */
export const gitbook: SiteAdapter = defineSite({
  name: 'gitbook',
  title: 'GitBook search',
  defaults: {
    /** Root of the site; by default the folder of the source. */
    base: '',
    searchPath: '~gitbook/search',
    indexPath: '~gitbook/site-index',
  },
  abilities: ['titles of its index when the search fails'],
  async recognise({ html, url }) {
    // The legacy generator states `GitBook 3.2.3`.
    if (!/^gitbook \(/i.test(metaOf(html, 'generator') ?? '')) return undefined
    const stated = /href="([^"]{0,300})~gitbook\/site-index"/.exec(html)?.[1]
    const base =
      stated !== undefined && URL.canParse(stated || '/', url)
        ? new URL(stated || '/', url)
        : undefined
    return base ? { base: base.href } : {}
  },
  open({ base: stated, searchPath, indexPath }, { client, source }) {
    const base = stated === '' ? new URL('.', source).href : stated
    return { search: withFallback(searchNow, searchTitles) }

    async function searchNow(query: string, { limit, signal }: SiteQuery): Promise<SiteAnswer> {
      const url = new URL(searchPath, base).href
      const response = await requestJson(client, url, {
        body: { query, scope: { mode: 'all' } },
        signal,
      })
      return {
        hits: hitsIn(response['results'], 'results', limit, url, (result) => hitOf(result, base)),
      }
    }

    async function searchTitles(query: string, { limit, language, signal }: SiteQuery) {
      const url = new URL(indexPath, base).href
      const response = await requestJson(client, url, { signal })
      const pages = listIn(response['pages'], 'pages', url)
      const spoken = language === undefined ? pages : pages.filter(({ lang }) => lang === language)
      const ranked = createSectionRanker(spoken.length > 0 ? spoken : pages, {
        heading: ({ title }) => plainText(title, 300),
        text: ({ description }) => plainText(description),
        id: ({ pathname }) => String(pathname),
        path: ({ breadcrumbs }) => labelsOf(breadcrumbs).join(' '),
      }).rank(query)
      return {
        total: ranked.length,
        hits: ranked
          .slice(0, limit)
          .flatMap(({ item: { pathname, title, description } }) =>
            hitAt(pathname, base, { title, excerpt: plainText(description) }),
          ),
      }
    }
  },
})

function hitOf({ title, href, description, bestSection }: Json, base: string): SiteHit[] {
  const section = isObject(bestSection) ? bestSection : undefined
  const heading = plainText(section?.['title'], 300)
  return hitAt(section?.['href'] ?? href, base, {
    title,
    path: heading === '' ? [] : [heading],
    excerpt: plainText(section?.['body']) || plainText(description),
  })
}

const labelsOf = (breadcrumbs: unknown): string[] =>
  (Array.isArray(breadcrumbs) ? breadcrumbs : [])
    .filter(isObject)
    .map(({ label }) => plainText(label, 100))
