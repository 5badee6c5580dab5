import { indexPages, plainText } from './index-pages.ts'
import type { PublishedIndexReader } from './published-index-reader.ts'

/** `assets/js/search-data.json`: the sections of all pages, numbered. */
export const justTheDocs: PublishedIndexReader = {
  generator: 'Just the Docs',
  isOf: (html) => /just-the-docs/i.test(html),
  async read({ url, roots, text }) {
    for (const root of roots) {
      const found = await text(`${root}assets/js/search-data.json`)
      if (found === undefined) continue
      const sections = JSON.parse(found) as Record<
        string,
        { doc: string; title: string; content: string; url: string }
      >
      return indexPages(
        Object.values(sections).map(({ doc, title, content, url: place }) => ({
          url: new URL(place, url).href,
          title: doc,
          text: `${title} ${plainText(content)}`,
        })),
      )
    }
    return undefined
  },
}
