import { Parser } from 'htmlparser2'
import type { HttpClient } from '#fetch/http-client'
import { readText } from '#fetch/read-text'
import type { ListedPage, Listing } from './listing.ts'

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
  let hasSitemap = false
  for (let maps = 0; maps < maxSitemaps && pending.length > 0; maps++) {
    const next = pending.shift() as string
    const xml = await readText(client, next, {
      accept: 'application/xml, text/xml;q=0.9, */*;q=0.1',
    })
    const sitemap = xml && parseSitemap(xml.text)
    if (!sitemap) continue
    hasSitemap = true
    // Entries of other hosts are ignored (sitemaps.org, "Sitemap file location").
    const items = sitemap.entries.filter((entry) => new URL(entry.url).host === new URL(next).host)
    if (sitemap.isIndex) pending.push(...items.map((entry) => entry.url))
    else
      for (const entry of items)
        if (isRequested(entry.url))
          pages.set(entry.url, { location: { kind: 'web', url: entry.url }, stamp: entry.changed })
    if (pages.size > maxListed) break
  }
  if (!hasSitemap) return undefined
  return { entries: [...pages.values()], more: pending.length > 0 }
}

/**
 * The `<loc>` URLs of a sitemap, in order, with the texts of `<lastmod>`; of an index they are those
 * of sitemaps. Undefined if the text is not a sitemap.
 */
function parseSitemap(xml: string) {
  const entries: { url: string; changed: string }[] = []
  let root: string | undefined
  let text: string | undefined
  const parser = new Parser(
    {
      onopentagname(name) {
        const local = localName(name)
        root ??= local
        if (local === 'loc' || local === 'lastmod') text = ''
      },
      ontext(part) {
        if (text !== undefined) text += part
      },
      onclosetag(name) {
        const value = text?.trim() ?? ''
        const local = localName(name)
        if (local === 'loc' && URL.canParse(value)) entries.push({ url: value, changed: '' })
        const last = entries.at(-1)
        if (local === 'lastmod' && last && value !== '') last.changed = value.slice(0, 40)
        if (local === 'loc' || local === 'lastmod') text = undefined
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  if (root !== 'urlset' && root !== 'sitemapindex') return undefined
  return { isIndex: root === 'sitemapindex', entries }
}

const localName = (name: string): string => name.replace(/^.*:/, '')
