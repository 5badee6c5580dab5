import { firstFile, namedRoots, type PublishedIndexReader } from './published-index-reader.ts'

/** `search_index.json` of MkDocs and related generators: sections with their text. */
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
const marks =
  /content="(?:mkdocs|zensical)|id="__config"|\bbase_url\s*=|search\/(?:main|require)\.js/i

export const mkdocs: PublishedIndexReader = {
  generator: 'MkDocs',
  mark: new RegExp(`${marks.source}|${namedPlace.source}`, 'i'),
  async read(site) {
    const roots = namedRoots(
      site,
      /id="__config"[^>]{0,200}>[^<]{0,2000}?"base":\s{0,9}"([^"]{0,500})"/,
      /\bbase_url\s*=\s*["']([^"']{0,500})["']/,
      /\bbase:\s*["']([^"']{0,500})["']/,
      namedPlace,
    )
    const names = ['search/search_index.json', 'search.json', 'mkdocs/search_index.json']
    const file = await firstFile(site, roots, names)
    const index = file && (JSON.parse(file.content) as MkDocsIndex)
    return (index?.docs ?? index?.items)?.map(({ location, title, text }) => [
      new URL(location || './', file?.root).href,
      title,
      text,
    ])
  },
}
