import { Parser } from 'htmlparser2'

export interface Sitemap {
  /** True for an index, whose URLs are sitemaps. */
  isIndex: boolean
  urls: string[]
}

/** The `<loc>` URLs of a sitemap, in order; undefined if the text is none. */
export function parseSitemap(xml: string): Sitemap | undefined {
  const urls: string[] = []
  let root: string | undefined
  let url: string | undefined
  const parser = new Parser(
    {
      onopentagname(name) {
        const local = name.replace(/^.*:/, '')
        root ??= local
        if (local === 'loc') url = ''
      },
      ontext(text) {
        if (url !== undefined) url += text
      },
      onclosetag(name) {
        if (name.replace(/^.*:/, '') !== 'loc' || url === undefined) return
        if (URL.canParse(url.trim())) urls.push(url.trim())
        url = undefined
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
  if (root !== 'urlset' && root !== 'sitemapindex') return undefined
  return { isIndex: root === 'sitemapindex', urls }
}
