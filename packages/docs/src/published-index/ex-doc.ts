import { indexPages } from './index-pages.ts'
import type { PublishedIndexReader } from './published-index-reader.ts'
import { jsonIn } from './script-text.ts'

interface ExDocItem {
  ref: string
  title: string
  doc?: string | null
}

/** `dist/search_data-….js`, until 0.30 `dist/search_items-….js`, which `search.html` names. */
export const exDoc: PublishedIndexReader = {
  generator: 'ExDoc',
  isOf: (html) => /content="ExDoc/i.test(html),
  async read({ roots, page, text }) {
    for (const root of roots) {
      const name = /dist\/search_(?:data|items)-\w{1,80}\.js/.exec(
        (await page(`${root}search.html`)) ?? '',
      )?.[0]
      const script = name && (await text(root + name))
      if (!script) continue
      const found = jsonIn(script) as ExDocItem[] | { items: ExDocItem[] }
      const items = Array.isArray(found) ? found : found.items
      return indexPages(
        items.map(({ ref, title, doc }) => ({
          url: new URL(ref, root).href,
          title,
          text: doc ?? '',
        })),
      )
    }
    return undefined
  },
}
