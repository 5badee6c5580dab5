import { inflateSync } from 'node:zlib'
import { indexPages, plainText } from './index-pages.ts'
import type { PublishedIndexReader, PublishedPage, Site } from './published-index-reader.ts'
import { looseJson } from './script-text.ts'

/**
 * `searchindex.js`: the words of each page without their order, section titles, and names of
 * objects.
 */
interface SphinxIndex {
  envversion?: { sphinx?: number } | number
  docnames: string[]
  titles: (string | null)[]
  terms: Record<string, number | number[]>
  titleterms: Record<string, number | number[]>
  alltitles?: Record<string, [document: number, anchor: string | null][]>
  indexentries?: Record<string, [document: number, anchor: string, ...unknown[]][]>
  objects?: Record<string, ObjectEntry[] | Record<string, ObjectPlace>>
}
type ObjectPlace = [document: number, kind: number, priority: number, anchor: string]
type ObjectEntry = [...ObjectPlace, name: string]

export const sphinx: PublishedIndexReader = {
  generator: 'Sphinx',
  isOf: (html) =>
    /_static\/(?:documentation_options|doctools|searchtools)|DOCUMENTATION_OPTIONS/.test(html),
  async read(site) {
    for (const root of rootsOf(site)) {
      const script = await site.text(`${root}searchindex.js`)
      const call = script?.indexOf('Search.setIndex(') ?? -1
      if (script === undefined || call < 0) continue
      const text = script.slice(call + 'Search.setIndex('.length, script.lastIndexOf(')'))
      return pagesOf(looseJson(text) as SphinxIndex, await addressing(site, root))
    }
    return readInventory(site)
  },
}

function rootsOf({ url, html, roots }: Site): string[] {
  const named = [
    /data-content_root="([^"]{0,500})"/,
    /data-url_root="([^"#]{0,500})"/,
    /URL_ROOT:\s*['"]([^'"#]{0,500})['"]/,
    /src="([^"]{0,500}?)_static\/(?:documentation_options|doctools|searchtools)/,
  ]
    .map((pattern) => pattern.exec(html)?.[1])
    .filter((root) => root !== undefined)
    .map((root) => new URL(root || './', url).href)
  return [...new Set([...named, ...roots])]
}

/** Maps a document name to its URL, as the site's builder does. */
async function addressing(site: Site, root: string): Promise<(name: string) => string> {
  const options = (await site.text(`${root}_static/documentation_options.js`)) ?? site.html
  const option = (name: string) =>
    new RegExp(`${name}:\\s*['"]([^'"]{0,500})['"]`).exec(options)?.[1]
  if (option('BUILDER') === 'dirhtml')
    return (name) =>
      new URL(
        name
          .replace(/(?:^|\/)index$/, '/')
          .replace(/^\/$/, '')
          .replace(/([^/])$/, '$1/'),
        root,
      ).href
  const suffix = option('LINK_SUFFIX') ?? option('FILE_SUFFIX') ?? '.html'
  return (name) => new URL(name + suffix, root).href
}

function pagesOf(index: SphinxIndex, urlOf: (name: string) => string): PublishedPage[] {
  const { docnames, titles, terms, titleterms, alltitles, objects, indexentries } = index
  const words = docnames.map(() => new Set<string>())
  const names = docnames.map((): string[] => [])
  for (const table of [terms, titleterms])
    for (const [term, documents] of Object.entries(table ?? {}))
      for (const document of [documents].flat()) words[document]?.add(term)
  for (const table of [alltitles, indexentries])
    for (const [title, places] of Object.entries(table ?? {}))
      for (const [document] of places) names[document]?.push(title)
  for (const [prefix, members] of Object.entries(objects ?? {}))
    for (const [document, , , , name] of objectsOf(members))
      names[document]?.push(prefix === '' ? name : `${prefix}.${name}`)
  return docnames.map((name, at) => ({
    url: urlOf(name),
    // Titles are plain text since Sphinx 9, where `vector<T>` is not a tag.
    title: (isHtml(index) ? plainText(titles[at] ?? '') : titles[at]) || name,
    text: (names[at] ?? []).join('\n'),
    terms: [...(words[at] ?? [])],
  }))
}

function isHtml({ envversion }: SphinxIndex): boolean {
  const version = typeof envversion === 'object' ? envversion.sphinx : envversion
  return (version ?? 0) <= 64
}

const objectsOf = (members: ObjectEntry[] | Record<string, ObjectPlace>): ObjectEntry[] =>
  Array.isArray(members)
    ? members
    : Object.entries(members).map(([name, place]) => [...place, name])

/** `objects.inv`, for a site without an index: names of sections and objects. */
async function readInventory(site: Site): Promise<PublishedPage[] | undefined> {
  for (const root of rootsOf(site)) {
    const bytes = await site.bytes(`${root}objects.inv`)
    const start = bytes ? Buffer.from(bytes.subarray(0, 2_000)).toString('latin1') : ''
    const header = /^# Sphinx inventory version 2\n(?:#.*\n){3}/.exec(start)
    if (!bytes || !header) continue
    const lines = inflateSync(bytes.subarray(header[0].length), { maxOutputLength: 2 ** 27 })
    const entries = [...lines.toString().matchAll(inventoryLine)].map(
      ([, name = '', , path = '', shown = '-']) => ({
        url: new URL(path.endsWith('$') ? path.slice(0, -1) + name : path, root).href,
        title: shown === '-' ? name : shown,
      }),
    )
    return indexPages(entries)
  }
  return undefined
}

const inventoryLine = /^(.+?)\s+(\S+:\S+)\s+-?\d+\s+(\S*)\s+(.*)$/gm
