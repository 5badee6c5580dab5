import { jsonSite } from './port/json-site.ts'
import { localeOfQuery } from './port/locales.ts'
import { objectsIn, plainText, textsIn, valueAt, webUrl } from './port/response.ts'
import type { SiteAdapter } from './port/site.ts'

const mdnLocales = 'en-us de es fr ja ko pt-br ru zh-cn zh-tw'.split(' ')
/** In bytes; MDN rejects longer queries. */
const maxMdnQuery = 200

export const mdn: SiteAdapter = jsonSite({
  name: 'mdn',
  title: 'MDN search',
  defaults: {
    home: 'https://developer.mozilla.org/',
    searchPath: '/api/v1/search',
  },
  languages: mdnLocales,
  isAt: (url, { home }) => url.host === new URL(home).host,
  request: (query, { language }, { options, source }) => ({
    url: options.searchPath,
    params: {
      q: cutBytes(query, maxMdnQuery),
      locale: localeOfQuery(language, source, mdnLocales),
    },
  }),
  paging: { param: 'page', size: 10, maxPages: 3 },
  results: 'documents',
  total: 'metadata.total.value',
  hit: ({ mdn_url: url, title, summary, highlight }) => ({
    url,
    title,
    excerpts: [summary, textsIn(valueAt(highlight, 'body')).join(' … ')],
  }),
})

function cutBytes(query: string, maxBytes: number): string {
  let cut = query.slice(0, maxBytes)
  while (Buffer.byteLength(cut) > maxBytes) cut = cut.slice(0, -1)
  return cut
}

const microsoftLocales =
  'en-us ar-sa cs-cz de-de es-es fr-fr he-il hu-hu id-id it-it ja-jp ko-kr nl-nl pl-pl pt-br pt-pt ru-ru sv-se th-th tr-tr uk-ua vi-vn zh-cn zh-tw'.split(
    ' ',
  )

export const microsoftLearn: SiteAdapter = jsonSite({
  name: 'microsoft-learn',
  title: 'Microsoft Learn search',
  defaults: {
    home: 'https://learn.microsoft.com/',
    searchPath: '/api/search',
  },
  languages: microsoftLocales,
  filters: ['category', 'scope'],
  isAt: (url, { home }) => url.host === new URL(home).host,
  request(query, { limit, language, filters = {} }, { options, source }) {
    const categories = (filters['category'] ?? []).map(
      (category) => `category eq '${category.replaceAll("'", "''")}'`,
    )
    return {
      url: options.searchPath,
      params: {
        search: query,
        locale: localeOfQuery(language, source, microsoftLocales),
        $top: String(Math.min(limit, 50)),
        facet: 'category',
        $filter: categories.length > 0 ? categories.join(' or ') : undefined,
        scope: filters['scope'],
      },
    }
  },
  results: 'results',
  total: 'count',
  hit({ title, url, description, descriptions }, { base }) {
    // Results include pages of other Microsoft sites.
    const target = webUrl(url, base)
    const isOwn = target !== undefined && new URL(target).host === new URL(base).host
    const [part] = objectsIn(descriptions)
    return isOwn ? { url, title, excerpts: [description, part?.['content']] } : undefined
  },
  rest(response) {
    const facets = objectsIn(valueAt(response, 'facets.category'))
    const category = facets.map(({ value }) => plainText(value, 100)).filter(Boolean)
    return category.length > 0 ? { facets: { category } } : {}
  },
})
