import { indexPages } from './index-pages.ts'
import type { PublishedIndexReader, Site } from './published-index-reader.ts'
import { jsonIn } from './script-text.ts'

/** `searchindex.js`: an elasticlunr index with the text of every section. */
interface MdBookIndex {
  doc_urls?: string[]
  index: {
    documentStore: {
      docs: Record<string, { id: string; title: string; body: string }>
    }
  }
}

export const mdbook: PublishedIndexReader = {
  generator: 'mdBook',
  isOf: (html) => /generated using mdBook|\bpath_to_root\s*=/.test(html),
  async read(site) {
    const { url, html, text } = site
    const toRoot = /\bpath_to_root\s*=\s*["']([^"']{0,500})["']/.exec(html)?.[1]
    const root = new URL(toRoot || './', url).href
    for (const place of await placesOf(site, root)) {
      const script = await text(place)
      if (script === undefined) continue
      const { doc_urls: urls, index } = jsonIn(script) as MdBookIndex
      return indexPages(
        Object.values(index.documentStore.docs).map(({ id, title, body }) => ({
          url: new URL(urls?.[Number(id)] ?? id, root).href,
          title,
          text: body,
        })),
      )
    }
    return undefined
  },
}

/** The name may have a hash, which the page or the search script contains. */
async function placesOf({ url, html, text }: Site, root: string): Promise<Set<string>> {
  const places: string[] = []
  const named = /path_to_searchindex_js\s*=\s*["']([^"']{0,500})["']/.exec(html)?.[1]
  if (named) places.push(new URL(named, url).href)
  const searcher = /<script[^>]{0,500}\ssrc="([^"]{0,500}searcher[^"/]{0,300}\.js)"/.exec(html)?.[1]
  if (!named && searcher && /searcher-/.test(searcher)) {
    const script = await text(new URL(searcher, url).href)
    const name = /path_to_root\s*\+\s*["']([^"']{0,500}searchindex[^"']{0,500}\.js)["']/.exec(
      script ?? '',
    )?.[1]
    if (name) places.push(new URL(name, root).href)
  }
  return new Set([...places, `${root}searchindex.js`, `${root}searchindex.json`])
}
