import {
  type Entry,
  firstFile,
  namedRoots,
  type PublishedIndexReader,
} from './published-index-reader.ts'

/**
 * Entry of @easyops-cn/docusaurus-search-local (URL, fragment, text, title of the section), or of
 * docusaurus-lunr-search.
 */
interface Place {
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
  mark: /content="Docusaurus|id="__docusaurus"|docusaurus-/i,
  async read(site) {
    // A file name with a hash occurs only in the scripts of the site.
    const sources = [...site.html.matchAll(/src="([^"]{0,500}assets\/js\/[^"]{1,500}\.js)"/g)]
    const scripts = await Promise.all(
      sources.slice(0, maxScripts).map(([, src = '']) => site.text(new URL(src, site.url).href)),
    )
    const name = /["'`]((?:search-index|search-doc)[^"'`?\s]{0,200}\.json)/g
    const hashed = [...scripts.join('\n').matchAll(name)].map(([, fileName = '']) => fileName)
    const names = hashed.map((fileName) => fileName.replace('{dir}', ''))
    // The folder that contains the site's own scripts is its root.
    const roots = namedRoots(site, /(?:src|href)="([^"]{0,500}?)assets\/(?:js|css)\//)
    const file = await firstFile(site, roots, ['search-index.json', 'search-doc.json', ...names])
    return file && entriesOf(JSON.parse(file.content), file.root)
  },
}

/** All lists and both kinds of entries lead to pages by their titles and texts. */
function entriesOf(index: unknown, root: string): Entry[] | undefined {
  const { searchDocs = index } = (index ?? {}) as { searchDocs?: unknown }
  if (!Array.isArray(searchDocs)) return undefined
  const places = (searchDocs as (Place & { documents?: Place[] })[]).flatMap(
    (part) => part.documents ?? [part],
  )
  return places.map(({ u, url = u ?? '', h = '', t = '', title = '', s, content = '' }) => [
    new URL(url + h, root).href,
    // Headings end in a zero-width space, the text of their permalink.
    (s ?? (title || t)).replace(/\u200b/g, ''),
    `${t} ${content}`,
  ])
}
