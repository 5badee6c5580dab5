import { firstFile, namedRoots, type PublishedIndexReader } from './published-index-reader.ts'
import { jsonIn } from './script-text.ts'

/** `searchindex.js`: an elasticlunr index with the text of every section. */
interface MdBookIndex {
  doc_urls?: string[]
  index: { documentStore: { docs: Record<string, { id: string; title: string; body: string }> } }
}

export const mdbook: PublishedIndexReader = {
  generator: 'mdBook',
  mark: /generated using mdBook|\bpath_to_root\s*=/,
  async read(site) {
    const [root = ''] = namedRoots(site, /\bpath_to_root\s*=\s*["']([^"']{0,500})["']/)
    // The name may have a hash, which the page or the search script contains.
    const { url, html, text } = site
    const searcher = /<script[^>]{0,500}\ssrc="([^"]{0,500}searcher-[^"/]{0,300}\.js)"/.exec(html)
    const script = searcher?.[1] && (await text(new URL(searcher[1], url).href))
    const hashed = /(searchindex-[\w-]{1,100}\.js(?:on)?)["']/
    const names = [html, script || ''].flatMap((part) => hashed.exec(part)?.[1] ?? [])
    const file = await firstFile(site, [root], [...names, 'searchindex.js', 'searchindex.json'])
    if (!file) return undefined
    const { doc_urls: urls, index } = jsonIn(file.content) as MdBookIndex
    return Object.values(index.documentStore.docs).map(({ id, title, body }) => [
      new URL(urls?.[Number(id)] ?? id, root).href,
      title,
      body,
    ])
  },
}
