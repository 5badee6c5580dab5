import { localeFor, localeOf } from '../port/locales.ts'
import { hitAt, hitsIn, isObject, type Json, plainText, requestJson } from '../port/response.ts'
import { defineSite, type SiteAdapter, type SiteHit } from '../port/site.ts'

const locales =
  'en-us ar-sa cs-cz de-de es-es fr-fr he-il hu-hu id-id it-it ja-jp ko-kr nl-nl pl-pl pt-br pt-pt ru-ru sv-se th-th tr-tr uk-ua vi-vn zh-cn zh-tw'.split(
    ' ',
  )
const maxResults = 50

export const microsoftLearn: SiteAdapter = defineSite({
  name: 'microsoft-learn',
  title: 'Microsoft Learn search',
  defaults: {
    home: 'https://learn.microsoft.com/',
    searchPath: '/api/search',
  },
  languages: locales,
  filters: ['category', 'scope'],
  isAt: (url, { home }) => url.host === new URL(home).host,
  open({ home, searchPath }, { client, source }) {
    return {
      async search(query, { limit, language, filters = {}, signal }) {
        const url = new URL(searchPath, home)
        const { searchParams } = url
        searchParams.set('search', query)
        searchParams.set(
          'locale',
          localeFor(language ?? '', locales) ?? localeOf(source, locales) ?? 'en-us',
        )
        searchParams.set('$top', String(Math.min(limit, maxResults)))
        searchParams.set('facet', 'category')
        const categories = (filters['category'] ?? []).map(
          (category) => `category eq '${category.replaceAll("'", "''")}'`,
        )
        if (categories.length > 0) searchParams.set('$filter', categories.join(' or '))
        for (const scope of filters['scope'] ?? []) searchParams.append('scope', scope)
        const response = await requestJson(client, url, { signal })
        const category = categoriesIn(response['facets'])
        const { count } = response
        return {
          hits: hitsIn(response['results'], 'results', limit, url.href, (result) =>
            hitOf(result, home),
          ),
          ...(typeof count === 'number' && { total: count }),
          ...(category.length > 0 && { facets: { category } }),
        }
      },
    }
  },
})

function hitOf({ title, url: target, description, descriptions }: Json, home: string): SiteHit[] {
  const parts = (Array.isArray(descriptions) ? descriptions : []).filter(isObject)
  const excerpt = plainText(description) || plainText(parts[0]?.['content'])
  // Results include pages of other Microsoft sites.
  return hitAt(target, home, { title, excerpt }).filter(
    ({ url }) => new URL(url).host === new URL(home).host,
  )
}

const categoriesIn = (facets: unknown): string[] =>
  (isObject(facets) && Array.isArray(facets['category']) ? facets['category'] : [])
    .filter(isObject)
    .map(({ value }) => plainText(value, 100))
    .filter(Boolean)
