import { Parser } from 'htmlparser2'

export interface SitemapEntry {
  url: string
  /** The text of `<lastmod>`. */
  changed?: string
}

export interface Sitemap {
  /** True for an index, whose URLs are sitemaps. */
  isIndex: boolean
  entries: SitemapEntry[]
}

/** The `<loc>` URLs of a sitemap, in order; undefined if the text is not a sitemap. */
export function parseSitemap(xml: string): Sitemap | undefined {
  const entries: SitemapEntry[] = []
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
        if (local === 'loc' && URL.canParse(value)) entries.push({ url: value })
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
