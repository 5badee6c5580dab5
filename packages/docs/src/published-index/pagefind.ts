import { gunzipSync } from 'node:zlib'
import { decode } from 'cborg'
import pLimit from 'p-limit'
import type { IndexedPage } from '../search-index/search-index.ts'
import { type IndexEntry, indexPages } from './index-pages.ts'
import type { Site, StaticIndexReader } from './static-index-reader.ts'

/** A fragment: one page with its text, and where in it the anchors stand, counted in words. */
interface Fragment {
  url: string
  content: string
  meta: { title?: string }
  anchors?: { id: string; text: string; location: number }[]
}
interface Entry {
  languages: Record<string, { hash: string }>
}

const mark = 'pagefind_dcd'
const mostUnpacked = 32 * 2 ** 20
const readAtOnce = 8

export const pagefind: StaticIndexReader = {
  generator: 'Pagefind',
  // Starlight loads it without a word in its pages.
  isOf: (html) => /pagefind|content="Starlight|<starlight-/i.test(html),
  async read(site) {
    const bundle = await findBundle(site)
    if (!bundle) return undefined
    const limit = pLimit(readAtOnce)
    const pages: IndexedPage[] = []
    for (const [language, { hash }] of Object.entries(bundle.entry.languages)) {
      const packed = await site.bytes(`${bundle.url}pagefind.${hash}.pf_meta`)
      if (!packed) continue
      const [, fragments] = decode(unpack(packed)) as [unknown, [hash: string, words: number][]]
      const wanted = fragments.slice(0, site.mostPages - pages.length)
      const found = await Promise.all(
        wanted.map(([name]) =>
          limit(() => readFragment(site, `${bundle.url}fragment/${name}.pf_fragment`)),
        ),
      )
      const entries = found.flatMap((fragment) =>
        fragment ? entriesOf(fragment, bundle.url, language) : [],
      )
      pages.push(...indexPages(entries))
    }
    return pages
  },
}

async function findBundle({ url, html, roots, text }: Site) {
  const named = [
    ...html.matchAll(/["'`(]([^"'`()\s]{0,300}?_?pagefind\/)[\w-]*(?:\.\w+)?["'`)]/g),
  ].map(([, way = '']) => new URL(way, url).href)
  const beside = roots.flatMap((root) => [`${root}pagefind/`, `${root}_pagefind/`])
  for (const bundle of new Set([...named, ...beside])) {
    const found = await text(`${bundle}pagefind-entry.json`)
    if (found === undefined) continue
    return { url: bundle, entry: JSON.parse(found) as Entry }
  }
  return undefined
}

async function readFragment(site: Site, url: string): Promise<Fragment | undefined> {
  const packed = await site.bytes(url)
  return packed && (JSON.parse(unpack(packed).toString()) as Fragment)
}

function unpack(packed: Uint8Array): Buffer {
  const isGzip = packed[0] === 0x1f && packed[1] === 0x8b
  const plain = isGzip ? gunzipSync(packed, { maxOutputLength: mostUnpacked }) : Buffer.from(packed)
  return plain.subarray(0, mark.length).toString() === mark ? plain.subarray(mark.length) : plain
}

/** A section goes from its anchor to the next. */
function entriesOf(fragment: Fragment, bundle: string, language: string): IndexEntry[] {
  const { content, meta, anchors = [] } = fragment
  const base = bundle.replace(/_?pagefind\/$/, '')
  const url = /^(?:https?:)?\/\//.test(fragment.url)
    ? fragment.url
    : new URL(fragment.url.replace(/^\/+/, ''), base).href
  const title = meta.title ?? ''
  const words = content.split(/\s+/)
  const starts = anchors
    .filter(({ text }) => text.trim() !== '')
    .sort((a, b) => a.location - b.location)
  const upTo = (at: number) => words.slice(starts[at]?.location, starts[at + 1]?.location).join(' ')
  return [
    { url, title, text: words.slice(0, starts[0]?.location).join(' '), language },
    ...starts.map(({ id, text }, at) => ({
      url: `${url}#${id}`,
      title: text.trim(),
      text: upTo(at),
      path: [title],
      language,
    })),
  ]
}
