import type { Dispatcher } from 'undici'
import { decodeHtml } from '../fetch/decode-html.ts'
import { type FetchLimits, fetchBytes } from '../fetch/fetch-bytes.ts'
import { parseSitemap } from './parse-sitemap.ts'

export interface SiteListing {
  urls: string[]
  /** True if the site has more pages than were listed. */
  more: boolean
}

const mostSitemaps = 20

/**
 * Pages of a site, from its sitemap: the source itself if it is one, else `sitemap.xml` beside it
 * or at the root of its host, as far as the pages lie below the source. A site without a sitemap
 * is the one page.
 */
export async function listSite(
  source: string,
  dispatcher: Dispatcher,
  limits: FetchLimits,
  mostPages: number,
): Promise<SiteListing> {
  if (/\.xml(?:$|\?)/i.test(source)) {
    const fetched = await fetchBytes(source, dispatcher, limits)
    return limit(await expand(decodeHtml(fetched.bytes, fetched.charset), new URL(source)))
  }
  const folder = new URL('.', source).href
  for (const candidate of new Set([
    new URL('sitemap.xml', source),
    new URL('/sitemap.xml', source),
  ])) {
    const xml = await fetchBytes(candidate.href, dispatcher, limits).then(
      (fetched) => decodeHtml(fetched.bytes, fetched.charset),
      () => '',
    )
    const urls = (await expand(xml, candidate)).filter((url) => url.startsWith(folder))
    if (urls.length > 0) return limit([...new Set([source, ...urls])])
  }
  return { urls: [source], more: false }

  async function expand(xml: string, base: URL): Promise<string[]> {
    const sitemap = parseSitemap(xml)
    if (!sitemap) return []
    // A sitemap speaks for its own host only.
    const urls = sitemap.urls.filter((url) => new URL(url).host === base.host)
    if (!sitemap.isIndex) return urls
    const pages: string[] = []
    for (const url of urls.slice(0, mostSitemaps)) {
      const inner = await fetchBytes(url, dispatcher, limits).catch(() => undefined)
      const parsed = inner && parseSitemap(decodeHtml(inner.bytes, inner.charset))
      if (parsed && !parsed.isIndex) for (const page of parsed.urls) pages.push(page)
      if (pages.length > mostPages) break
    }
    return pages.filter((url) => new URL(url).host === base.host)
  }

  function limit(urls: string[]): SiteListing {
    return { urls: urls.slice(0, mostPages), more: urls.length > mostPages }
  }
}
