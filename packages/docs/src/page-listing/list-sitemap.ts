import type { HttpClient } from '../fetch/http-client.ts'
import { readText } from '../fetch/read-text.ts'
import type { ListedPage } from './listing.ts'
import { parseSitemap, type SitemapEntry } from './parse-sitemap.ts'

const mostSitemaps = 200

export interface SitemapListing {
  entries: ListedPage[]
  /** There are more maps than were read. */
  more: boolean
  /** A map could not be read. */
  isPartial: boolean
}

/** Pages that a sitemap lists, those of the maps it names included; undefined if there is none. */
export async function listSitemap(
  client: HttpClient,
  url: string,
  mostPages: number,
  isWanted: (url: string) => boolean,
): Promise<SitemapListing | undefined> {
  const pending = [url]
  const pages = new Map<string, ListedPage>()
  let found = false
  let isPartial = false
  for (let maps = 0; maps < mostSitemaps && pending.length > 0; maps++) {
    const next = pending.shift() as string
    const xml = await readText(client, next, {
      accept: 'application/xml, text/xml;q=0.9, */*;q=0.1',
    })
    const sitemap = xml && parseSitemap(xml.text)
    if (!sitemap) isPartial = true
    if (!sitemap) continue
    found = true
    // A sitemap speaks for its own host only.
    const own = sitemap.entries.filter((entry) => new URL(entry.url).host === new URL(next).host)
    if (sitemap.isIndex) pending.push(...own.map((entry) => entry.url))
    else for (const entry of own) if (isWanted(entry.url)) pages.set(entry.url, listed(entry))
    if (pages.size > mostPages) break
  }
  if (!found) return undefined
  return { entries: [...pages.values()], more: pending.length > 0, isPartial }
}

const listed = ({ url, changed = '' }: SitemapEntry): ListedPage => ({
  location: { kind: 'web', url },
  stamp: changed,
})
