import { indexPages, plainText } from './index-pages.ts'
import type { PublishedIndexReader } from './published-index-reader.ts'

/** `search_index.json` of MkDocs and related generators: sections with their text, some as HTML. */
interface MkDocsIndex {
  docs?: MkDocsEntry[]
  items?: MkDocsEntry[]
}
interface MkDocsEntry {
  location: string
  title: string
  text: string
}

/** A page of any generator may name such an index, as this project's manual does. */
const namedPlace = /["']([^"'<>\s]{0,500}?)search\/search_index\.json["']/

export const mkdocs: PublishedIndexReader = {
  generator: 'MkDocs',
  isOf: (html) =>
    /content="(?:mkdocs|zensical)|id="__config"|\bbase_url\s*=|search\/(?:main|require)\.js/i.test(
      html,
    ) || namedPlace.test(html),
  async read({ url, html, roots, text }) {
    const named = [
      /id="__config"[^>]{0,200}>[^<]{0,2000}?"base":\s{0,9}"([^"]{0,500})"/,
      /\bbase_url\s*=\s*["']([^"']{0,500})["']/,
      /\bbase:\s*["']([^"']{0,500})["']/,
      namedPlace,
    ]
      .map((pattern) => pattern.exec(html)?.[1])
      .filter((root) => root !== undefined)
      .map((root) => new URL((root || '.').replace(/\/?$/, '/'), url).href)
    for (const root of new Set([...named, ...roots]))
      for (const name of ['search/search_index.json', 'search.json', 'mkdocs/search_index.json']) {
        const found = await text(root + name)
        const index = found ? (JSON.parse(found) as MkDocsIndex) : undefined
        const entries = index?.docs ?? index?.items
        if (!Array.isArray(entries)) continue
        return indexPages(
          entries.map(({ location, title, text: body }) => ({
            url: new URL(location || './', root).href,
            title: plainText(title),
            text: plainText(body),
          })),
        )
      }
    return undefined
  },
}
