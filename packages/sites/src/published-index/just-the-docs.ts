import { firstFile, type PublishedIndexReader } from './published-index-reader.ts'

/** `assets/js/search-data.json`: the sections of all pages, numbered. */
export const justTheDocs: PublishedIndexReader = {
  generator: 'Just the Docs',
  mark: /just-the-docs/i,
  async read(site) {
    const file = await firstFile(site, site.roots, ['assets/js/search-data.json'])
    const sections = Object.values(JSON.parse(file?.content ?? '{}')) as {
      doc: string
      title: string
      content: string
      url: string
    }[]
    return sections.map(({ doc, title, content, url }) => [
      new URL(url, site.url).href,
      doc,
      `${title} ${content}`,
    ])
  },
}
