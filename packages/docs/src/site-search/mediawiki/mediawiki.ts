import { metaOf } from '../port/extract-config.ts'
import {
  hitAt,
  hitsIn,
  isObject,
  type Json,
  plainText,
  requestJson,
  unexpected,
  webUrl,
  withFragment,
} from '../port/response.ts'
import { defineSite, type SiteAdapter, type SiteHit } from '../port/site.ts'

/** Largest number of results for clients without an account. */
const maxResults = 50

/** Full-text search of a wiki. */
export const mediawiki: SiteAdapter = defineSite({
  name: 'mediawiki',
  title: 'MediaWiki search',
  defaults: {
    /** Address of `api.php`. */
    apiUrl: '',
  },
  async recognise({ html, url }) {
    if (!/^mediawiki\b/i.test(metaOf(html, 'generator') ?? '')) return undefined
    const link = /<link\b[^<>]{0,300}\brel="EditURI"[^<>]{0,600}>/i.exec(html)?.[0]
    const apiUrl = webUrl(/\bhref="([^"?]{1,500})/.exec(link ?? '')?.[1], url)
    const isOwn = apiUrl !== undefined && new URL(apiUrl).host === new URL(url).host
    return isOwn ? { apiUrl } : undefined
  },
  open({ apiUrl }, { client, source }) {
    return {
      async search(query, { limit, signal }) {
        const url = new URL(apiUrl, source)
        url.search = new URLSearchParams({
          action: 'query',
          format: 'json',
          formatversion: '2',
          list: 'search',
          srsearch: query,
          srlimit: String(Math.min(limit, maxResults)),
          srprop: 'snippet|sectiontitle',
          // The form of the addresses of pages.
          meta: 'siteinfo',
        }).toString()
        const { query: found, error } = await requestJson(client, url, { signal })
        if (error !== undefined)
          throw unexpected(url.href, `reports ${JSON.stringify(error).slice(0, 200)}`)
        if (!isObject(found)) throw unexpected(url.href, 'has no object "query"')
        const { general, search, searchinfo } = found
        const path = isObject(general) ? String(general['articlepath']) : '/$1'
        const total = isObject(searchinfo) ? searchinfo['totalhits'] : undefined
        return {
          hits: hitsIn(search, 'search', limit, url.href, (page) => hitOf(page, path, source)),
          ...(typeof total === 'number' && { total }),
        }
      },
    }
  },
})

function hitOf({ title, snippet, sectiontitle }: Json, path: string, source: string): SiteHit[] {
  const name = encodeURIComponent(String(title).replaceAll(' ', '_'))
    .replaceAll('%2F', '/')
    .replaceAll('%3A', ':')
  const section = plainText(sectiontitle, 300)
  return hitAt(
    path.replace('$1', () => name),
    source,
    {
      title,
      path: section === '' ? [] : [section],
      excerpt: plainText(snippet),
    },
  ).map((hit) => ({ ...hit, url: withFragment(hit.url, section.replaceAll(' ', '_')) }))
}
