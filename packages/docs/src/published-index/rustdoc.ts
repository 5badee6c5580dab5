import { indexPages, plainText } from './index-pages.ts'
import type { PublishedIndexReader, PublishedPage, Site } from './published-index-reader.ts'
import { stringAt } from './script-text.ts'

/** A crate in `search-index.js` of rustdoc 1.52 to 1.90, stored in columns. */
interface Crate {
  doc?: string
  /** Kinds, as numbers or letters. */
  t: number[] | string
  /** Names; an empty one repeats the previous name. */
  n: string[]
  /** Paths; an empty or absent one repeats the previous path. */
  q: string[] | [item: number, path: string][]
  /** Descriptions, until they moved to separate files. */
  d?: string[] | string
  /** Parents: 1-based positions in `p`; in later versions packed into a string. */
  i: number[] | string
  p: [kind: number, name: string, ...unknown[]][]
}

const kindsUntil177 =
  'mod externcrate import struct enum fn type static trait impl tymethod method structfield variant macro primitive associatedtype constant associatedconstant union foreigntype keyword existential attr derive traitalias generic'.split(
    ' ',
  )
const kindsSince178 =
  'keyword primitive mod externcrate import struct enum fn type static trait impl tymethod method structfield variant macro associatedtype constant associatedconstant union foreigntype existential attr derive traitalias generic attribute'.split(
    ' ',
  )

interface RustItem {
  kind: string
  name: string
  path: string
  description: string
  parent?: { kind: string; name: string } | undefined
}

export const rustdoc: PublishedIndexReader = {
  generator: 'rustdoc',
  isOf: (html) =>
    /content="rustdoc"|name="rustdoc-vars"|id="rustdoc-vars"|window\.rootPath/.test(html),
  isPart: (html) => !hasRoot.test(html),
  async read(start) {
    const site = await ofCrate(start)
    const { root, suffix } = rootOf(site)
    const script = await site.text(`${root}search-index${suffix}.js`)
    const call = script?.indexOf('JSON.parse(') ?? -1
    const json = script && call >= 0 ? stringAt(script, call + 'JSON.parse('.length) : undefined
    if (json) return pagesOf(JSON.parse(json), root, await kindsIn(site))
    return indexPages(await itemsOfCrates(site, root, suffix))
  },
}

/** `all.html` of each crate, since the index of rustdoc 1.91 and later is spread over many files. */
async function itemsOfCrates(site: Site, root: string, suffix: string): Promise<PublishedPage[]> {
  const list = (await site.text(`${root}crates${suffix}.js`)) ?? ''
  const own = attributeOf(site.html, 'current-crate')
  const listed = [...list.matchAll(/"(\w{1,100})"/g)].map(([, name = '']) => name)
  const crates = (listed.length > 0 ? listed : [own ?? '']).slice(0, maxCrates)
  const lists = await Promise.all(
    crates.map(async (name) => ({ name, html: await site.page(`${root}${name}/all.html`) })),
  )
  return lists.flatMap(({ name, html = '' }) =>
    [...html.matchAll(/<a href="([^":#]{1,500}\.html)">([^<]{1,500})<\/a>/g)].map(
      ([, place = '', path = '']) => ({
        url: new URL(place, `${root}${name}/`).href,
        title: path.split('::').at(-1) ?? path,
        text: `${name}::${path}`,
      }),
    ),
  )
}

const maxCrates = 50

/** A page of a crate states where its root is. */
const hasRoot = /rustdoc-vars|window\.rootPath/

/** The front page of several crates links to their pages. */
async function ofCrate(site: Site): Promise<Site> {
  const link = /href="((?:[\w-]{1,100}\/){1,2}index\.html)"/g
  for (const [, place = ''] of hasRoot.test(site.html)
    ? []
    : [...site.html.matchAll(link)].slice(0, maxTried)) {
    const url = new URL(place, site.url).href
    const html = (await site.page(url)) ?? ''
    if (hasRoot.test(html)) return { ...site, url, html }
  }
  return site
}

const maxTried = 12

const attributeOf = (html: string, name: string): string | undefined =>
  new RegExp(`data-${name}="([^"]{0,500})"`).exec(html)?.[1]

function rootOf({ url, html }: Site): { root: string; suffix: string } {
  const attribute = (name: string) => attributeOf(html, name)
  const rootPath =
    attribute('root-path') ?? /window\.rootPath\s*=\s*"([^"]{0,500})"/.exec(html)?.[1]
  const suffix = attribute('resource-suffix') ?? /search-index([^"/]{0,300})\.js"/.exec(html)?.[1]
  return { root: new URL(rootPath || './', url).href, suffix: suffix ?? '' }
}

/** The order of the kinds depends on the version; the search script contains it. */
async function kindsIn({ url, html, text }: Site): Promise<string[] | undefined> {
  const attribute = (name: string) => attributeOf(html, name)
  const [folder, name] = [attribute('static-root-path'), attribute('search-js')]
  if (folder === undefined || name === undefined) return undefined
  const script = await text(new URL(folder + name, url).href)
  const list = /itemTypes\s*=\s*(\["[^\]]*\])/.exec(script ?? '')?.[1]
  return list === undefined ? undefined : (JSON.parse(list.replace(/,\s*\]/, ']')) as string[])
}

function pagesOf(index: unknown, root: string, stated: string[] | undefined): PublishedPage[] {
  const crates = (Array.isArray(index) ? index : Object.entries(index ?? {})) as [string, Crate][]
  const isNew = crates.some(([, { t }]) => typeof t === 'string')
  const kinds = stated ?? (isNew ? kindsSince178 : kindsUntil177)
  const entries = crates.flatMap(([name, crate]): PublishedPage[] => [
    { url: `${root}${name}/index.html`, title: name, text: plainText(crate.doc ?? '') },
    ...itemsOf(crate, kinds).map((item) => entryOf(item, root)),
  ])
  return indexPages(entries)
}

function entryOf(item: RustItem, root: string): PublishedPage {
  const { name, path, description, parent } = item
  return {
    url: root + placeOf(item),
    title: parent ? '' : name,
    text: `${path}::${parent?.name ?? ''} ${name}\n${plainText(description)}`,
  }
}

function itemsOf(crate: Crate, kinds: readonly string[]): RustItem[] {
  const { t, n, q, d, i, p } = crate
  const numbers = typeof t === 'string' ? [...t].map((letter) => letter.charCodeAt(0) - 65) : t
  const paths = Array.isArray(q[0]) ? new Map(q as [number, string][]) : undefined
  const parents = typeof i === 'string' ? unpackNumbers(i) : i
  let path = ''
  let name = ''
  return numbers.map((number, at) => {
    path = (paths ? paths.get(at) : (q[at] as string)) || path
    name = n[at] || name
    const parent = (parents[at] ?? 0) > 0 ? p[(parents[at] ?? 0) - 1] : undefined
    return {
      kind: kinds[number] ?? '',
      name,
      path,
      description: Array.isArray(d) ? (d[at] ?? '') : '',
      parent: parent && { kind: kinds[parent[0]] ?? '', name: parent[1] },
    }
  })
}

/** Numbers with four bits per character, and back references to recent ones. */
function unpackNumbers(text: string): number[] {
  const recent: number[] = []
  const numbers: number[] = []
  for (let at = 0; at < text.length; at++) {
    let code = text.charCodeAt(at)
    if (code >= 48 && code < 64) {
      numbers.push(recent[code - 48] ?? 0)
      continue
    }
    let value = 0
    for (; code < 96 && at < text.length; code = text.charCodeAt(++at))
      value = value * 16 + (code & 15)
    value = value * 16 + (code & 15)
    const signed = value & 1 ? -(value >> 1) : value >> 1
    if (text.charCodeAt(at) !== 96 || value !== 0) {
      recent.unshift(signed)
      recent.length = Math.min(recent.length, 16)
    }
    numbers.push(signed)
  }
  return numbers
}

/** The path of the page of an item. */
function placeOf({ kind, name, path, parent }: RustItem): string {
  const folder = path.replaceAll('::', '/')
  if (parent && kind === 'structfield' && parent.kind === 'variant')
    return `${folder.replace(/\/([^/]*)$/, '/enum.$1')}.html`
  if (parent) return `${folder}/${parent.kind}.${parent.name}.html`
  if (kind === 'mod') return `${folder}/${name}/index.html`
  if (kind === 'import') return `${folder}/index.html`
  if (kind === 'externcrate') return `${name}/index.html`
  return `${folder}/${kind}.${name}.html`
}
