import type { StaticIndexReader } from './find-static-index.ts'
import { indexPages, plainText } from './index-pages.ts'

/** `search_index.json` of MkDocs and its kin: sections with their text. */
interface MkDocsIndex {
  docs?: MkDocsEntry[]
  items?: MkDocsEntry[]
}
interface MkDocsEntry {
  location: string
  title: string
  text: string
}

export const mkdocs: StaticIndexReader = {
  generator: 'MkDocs',
  isOf: (html) =>
    /content="(?:mkdocs|zensical)|id="__config"|\bbase_url\s*=|search\/(?:main|require)\.js/i.test(
      html,
    ),
  async read({ url, html, roots, text }) {
    const named = [
      /id="__config"[^>]*>[^<]*"base":\s*"([^"]*)"/,
      /\bbase_url\s*=\s*["']([^"']*)["']/,
      /\bbase:\s*["']([^"']*)["']/,
    ]
      .map((pattern) => pattern.exec(html)?.[1])
      .filter((root) => root !== undefined)
      .map((root) => new URL(root.replace(/\/?$/, '/'), url).href)
    for (const root of new Set([...named, ...roots]))
      for (const name of ['search/search_index.json', 'search.json', 'mkdocs/search_index.json']) {
        const found = await text(root + name)
        const index = found && (JSON.parse(found) as MkDocsIndex)
        const entries = index ? (index.docs ?? index.items) : undefined
        if (!Array.isArray(entries)) continue
        return indexPages(
          entries.map((entry) => ({
            url: new URL(entry.location || './', root).href,
            title: plainText(entry.title),
            text: plainText(entry.text),
          })),
        )
      }
    return undefined
  },
}
