import { LRUCache } from 'lru-cache'
import { decodeHtml } from '#fetch/decode-html'
import type { HttpClient } from '#fetch/http-client'
import { DocsError } from '#formats/docs-error'
import { searchLlms } from '../port/llms-search.ts'
import { localeOfQuery } from '../port/locales.ts'
import { hitAt, hitsIn, isObject, plainText, requestJson, unexpected } from '../port/response.ts'
import { defineSite, type SiteAdapter, type SiteAnswer, type SiteQuery } from '../port/site.ts'
import { withFallback } from '../port/with-fallback.ts'

const languages = ['en', 'ja'] as const

/** Documentation of Snowflake: the data of its search page, or else the titles in llms.txt. */
export const snowflake: SiteAdapter = defineSite({
  name: 'snowflake',
  title: 'Snowflake documentation search',
  defaults: {
    home: 'https://docs.snowflake.com/',
    /** Relative to `home`. */
    searchPath: '/_next/data/{build}/{language}/search.json',
    llmsPath: '/llms.txt',
  },
  abilities: ['titles of llms.txt when the search fails'],
  languages,
  isAt: (url, { home }) => url.host === new URL(home).host,
  open({ home, searchPath, llmsPath }, { client, source }) {
    const buildId = createBuildId(client, home)
    const pageUrl = pageUrlBelow(home)
    const llms = searchLlms(client, new URL(llmsPath, home).href, pageUrl)
    return {
      search: withFallback(searchNow, llms),
      pageUrl,
    }

    /**
     * A build id is invalid after the next deployment; then the search is repeated with the new
     * one.
     */
    async function searchNow(query: string, siteQuery: SiteQuery): Promise<SiteAnswer> {
      const build = await buildId.get()
      try {
        return await searchBuild(build, query, siteQuery)
      } catch (error) {
        if (!(error instanceof DocsError) || error.code !== 'not_found') throw error
        const next = await buildId.renew(build)
        if (next === build) throw error
        return searchBuild(next, query, siteQuery)
      }
    }

    async function searchBuild(
      build: string,
      query: string,
      { language, limit, signal }: SiteQuery,
    ): Promise<SiteAnswer> {
      const spoken = localeOfQuery(language, source, languages)
      const path = searchPath.replace('{build}', build).replace('{language}', spoken)
      const url = new URL(path, home)
      url.searchParams.set('q', query)
      const { pageProps } = await requestJson(client, url, { signal })
      const searchResults = isObject(pageProps) ? pageProps['searchResults'] : undefined
      if (!isObject(searchResults)) throw unexpected(url.href, 'has no search results')
      return {
        hits: hitsIn(
          searchResults['results'],
          'results',
          limit,
          url.href,
          ({ href, title, description, category }) => {
            const kind = plainText(category, 100)
            return hitAt(href, url.href, {
              title,
              excerpt: plainText(description),
              ...(kind && { kind }),
            })
          },
        ),
      }
    }
  },
})

const cacheMs = 60 * 60_000
/** Minimum milliseconds between renewals. */
const renewMs = 10_000

/**
 * The build id in the URLs of a Next.js site. Reads it from the first page and caches it for an hour. Concurrent callers share one request.
 */
function createBuildId(client: HttpClient, home: string) {
  let renewedAt = Number.NEGATIVE_INFINITY
  const ids = new LRUCache<string, string>({
    max: 1,
    ttl: cacheMs,
    fetchMethod: async () => {
      const { bytes, charset, url } = await client.request(home)
      const id = /"buildId":"([\w.~-]{1,100})"/.exec(decodeHtml(bytes, charset))?.[1]
      if (id === undefined) throw unexpected(url, 'contains no build id')
      return id
    },
  })
  const get = (): Promise<string> => ids.forceFetch(home)

  return {
    get,
    /** The current id of the site, after it rejected `stale`. */
    async renew(stale: string): Promise<string> {
      if ((await get()) === stale && performance.now() - renewedAt > renewMs) {
        renewedAt = performance.now()
        ids.clear()
      }
      return get()
    },
  }
}

/** Lists of the site omit the language and have no suffix, `.md` or `.html`. */
function pageUrlBelow(home: string): (url: string) => string {
  const { host } = new URL(home)
  return (href) => {
    const url = new URL(href)
    if (url.host !== host) return href
    const isSpoken = languages.some((language) =>
      new RegExp(`^/${language}(?:/|$)`).test(url.pathname),
    )
    if (!isSpoken && !/\.txt$/.test(url.pathname)) url.pathname = `/en${url.pathname}`
    url.pathname = url.pathname.replace(/\.(?:md|html)$/, '')
    return url.href
  }
}
