import { firstFile, type PublishedIndexReader } from './published-index-reader.ts'
import { jsonIn } from './script-text.ts'

interface ExDocItem {
  ref: string
  title: string
  doc?: string | null
}

/** `dist/search_data-….js`, until 0.30 `dist/search_items-….js`, which `search.html` names. */
export const exDoc: PublishedIndexReader = {
  generator: 'ExDoc',
  mark: /content="ExDoc/i,
  async read(site) {
    const [folder = ''] = site.roots
    const page = (await site.page(`${folder}search.html`)) ?? ''
    const name = /dist\/search_(?:data|items)-\w{1,80}\.js/.exec(page)?.[0]
    const file = name && (await firstFile(site, [folder], [name]))
    if (!file) return undefined
    const searchData = jsonIn(file.content) as ExDocItem[] | { items: ExDocItem[] }
    const items = Array.isArray(searchData) ? searchData : searchData.items
    return items.map(({ ref, title, doc }) => [new URL(ref, folder).href, title, doc ?? ''])
  },
}
