import { indexPages } from './index-pages.ts'
import type { PublishedIndexReader, PublishedPage, Site } from './published-index-reader.ts'

/**
 * Entry of @easyops-cn/docusaurus-search-local (URL, fragment, text, title of the section), or of
 * docusaurus-lunr-search.
 */
interface Entry {
  u?: string
  h?: string
  t?: string
  s?: string
  title?: string
  url?: string
  content?: string
}

const maxScripts = 8

export const docusaurus: PublishedIndexReader = {
  generator: 'Docusaurus',
  isOf: (html) => /content="Docusaurus|id="__docusaurus"|docusaurus-/i.test(html),
  async read(site) {
    const names = new Set(['search-index.json', 'search-doc.json', ...(await namesInScripts(site))])
    for (const root of rootsOf(site))
      for (const name of names) {
        const found = await site.text(root + name)
        const pages = found && pagesOf(JSON.parse(found), root)
        if (pages && pages.length > 0) return pages
      }
    return undefined
  },
}

/** The folder that contains the site's own scripts is its root. */
function rootsOf({ url, html, roots }: Site): Set<string> {
  const assets = /(?:src|href)="([^"]{0,500}?)assets\/(?:js|css)\//.exec(html)?.[1]
  return new Set([...(assets === undefined ? [] : [new URL(assets || './', url).href]), ...roots])
}

/** A file name with a hash occurs only in the scripts of the site. */
async function namesInScripts({ url, html, text }: Site): Promise<string[]> {
  const scripts = [...html.matchAll(/src="([^"]{0,500}assets\/js\/[^"]{1,500}\.js)"/g)].slice(
    0,
    maxScripts,
  )
  const names: string[] = []
  for (const [, src = ''] of scripts) {
    const script = (await text(new URL(src, url).href)) ?? ''
    for (const [, name = ''] of script.matchAll(
      /["'`]((?:search-index|search-doc)[^"'`?\s]{0,200}\.json)/g,
    ))
      names.push(name.replace('{dir}', ''))
  }
  return names
}

/** All lists and both kinds of entries lead to pages by their titles and texts. */
function pagesOf(index: unknown, root: string): PublishedPage[] | undefined {
  const { searchDocs = index } = (index ?? {}) as { searchDocs?: unknown }
  if (!Array.isArray(searchDocs)) return undefined
  const entries = (searchDocs as (Entry & { documents?: Entry[] })[]).flatMap(
    (part) => part.documents ?? [part],
  )
  return indexPages(
    entries.map(({ u, url = u ?? '', h = '', t, title = '', s, content = '' }) => ({
      url: new URL(url + h, root).href,
      // Headings end in a zero-width space, the text of their permalink.
      title: (s ?? (title || (t ?? ''))).replace(/\u200b/g, '').trim(),
      text: `${t ?? ''} ${content}`,
    })),
  )
}
