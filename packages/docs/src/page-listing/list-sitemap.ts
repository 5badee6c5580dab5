import { readText } from '../fetch/read-text.ts'
import type { HttpClient } from '../fetch/undici-client.ts'
import type { ListedPage, Listing } from './listing.ts'
import { parseSitemap, type SitemapEntry } from './parse-sitemap.ts'

const maxSitemaps = 200

/** Pages of a sitemap, including those of the sitemaps it names; undefined without a sitemap. */
export async function listSitemap(
  client: HttpClient,
  url: string,
  maxListed: number,
  isRequested: (url: string) => boolean,
): Promise<Pick<Listing, 'entries' | 'more'> | undefined> {
  const pending = [url]
  const pages = new Map<string, ListedPage>()
  let found = false
  for (let maps = 0; maps < maxSitemaps && pending.length > 0; maps++) {
    const next = pending.shift() as string
    const xml = await readText(client, next, {
      accept: 'application/xml, text/xml;q=0.9, */*;q=0.1',
    })
    const sitemap = xml && parseSitemap(xml.text)
    if (!sitemap) continue
    found = true
    // Entries of other hosts are ignored (sitemaps.org, "Sitemap file location").
    const own = sitemap.entries.filter((entry) => new URL(entry.url).host === new URL(next).host)
    if (sitemap.isIndex) pending.push(...own.map((entry) => entry.url))
    else for (const entry of own) if (isRequested(entry.url)) pages.set(entry.url, listed(entry))
    if (pages.size > maxListed) break
  }
  if (!found) return undefined
  return { entries: [...pages.values()], more: pending.length > 0 }
}

const listed = ({ url, changed = '' }: SitemapEntry): ListedPage => ({
  location: { kind: 'web', url },
  stamp: changed,
})
