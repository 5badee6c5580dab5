import { termsOf } from '@pith-mcp/scorer'
import {
  type Entry,
  firstFile,
  namedRoots,
  type PublishedIndexReader,
  type Site,
} from './published-index-reader.ts'
import { looseJson } from './script-text.ts'

/** `searchindex.js`: the words of each page without their order, titles, and names of objects. */
interface SphinxIndex {
  docnames: string[]
  titles: (string | null)[]
  terms: Table
  titleterms: Table
  alltitles?: Record<string, Place[]>
  indexentries?: Record<string, Place[]>
  objects?: Record<string, [...Place, name: string][] | Record<string, Place>>
}
type Table = Record<string, number | number[]>
type Place = [document: number, ...unknown[]]

export const sphinx: PublishedIndexReader = {
  generator: 'Sphinx',
  mark: /_static\/(?:documentation_options|doctools|searchtools)|DOCUMENTATION_OPTIONS/,
  async read(site) {
    const roots = namedRoots(
      site,
      /data-content_root="([^"]{0,500})"/,
      /data-url_root="([^"#]{0,500})"/,
      /URL_ROOT:\s*['"]([^'"#]{0,500})['"]/,
      /src="([^"]{0,500}?)_static\/(?:documentation_options|doctools|searchtools)/,
    )
    const file = await firstFile(site, roots, ['searchindex.js'])
    const call = /Search\.setIndex\(/.exec(file?.content ?? '')
    if (!file || !call) return undefined
    const json = file.content.slice(call.index + call[0].length, file.content.lastIndexOf(')'))
    return entriesOf(looseJson(json) as SphinxIndex, await addressing(site, file.root))
  },
}

/** Maps a document name to its URL, as the site's builder does. */
async function addressing(site: Site, root: string): Promise<(name: string) => string> {
  const options = (await site.text(`${root}_static/documentation_options.js`)) ?? site.html
  const option = (name: string) =>
    new RegExp(`${name}:\\s*['"]([^'"]{0,500})['"]`).exec(options)?.[1]
  const suffix = option('LINK_SUFFIX') ?? option('FILE_SUFFIX') ?? '.html'
  return option('BUILDER') === 'dirhtml'
    ? (name) => new URL(`./${name}/`.replace(/\/index\/$/, '/'), root).href
    : (name) => new URL(name + suffix, root).href
}

function entriesOf(index: SphinxIndex, urlOf: (name: string) => string): Entry[] {
  const { docnames, titles, terms, titleterms, alltitles, indexentries, objects } = index
  const words = docnames.map((): string[] => [])
  const stems = docnames.map((): string[] => [])
  for (const table of [terms, titleterms])
    for (const [term, documents] of Object.entries(table ?? {})) {
      const termStems = termsOf(term)
      for (const document of [documents].flat()) stems[document]?.push(...termStems)
    }
  for (const table of [alltitles, indexentries])
    for (const [title, places] of Object.entries(table ?? {}))
      for (const [document] of places) words[document]?.push(title)
  for (const [prefix, members] of Object.entries(objects ?? {}))
    for (const [name, place] of Object.entries(members))
      words[place[0]]?.push(`${prefix}.${Array.isArray(members) ? String(place.at(-1)) : name}`)
  return docnames.map((name, at) => [
    urlOf(name),
    titles[at] || name,
    words[at]?.join('\n'),
    stems[at] ?? [],
  ])
}
