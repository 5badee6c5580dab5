import { gunzipSync } from 'node:zlib'
import { decode } from 'cborg'
import pLimit from 'p-limit'
import type { IndexedPage } from '../search-index/search-index.ts'
import { type IndexEntry, indexPages } from './index-pages.ts'
import type { PublishedIndexReader, Site } from './published-index-reader.ts'

/** A fragment: one page with its text and anchors, whose `location` counts words. */
interface Fragment {
  url: string
  content: string
  meta: { title?: string }
  anchors?: { id: string; text: string; location: number }[]
}
interface Entry {
  languages: Record<string, { hash: string }>
}

const bom = 'pagefind_dcd'
const maxUnpacked = 32 * 2 ** 20
const maxConcurrentReads = 8

export const pagefind: PublishedIndexReader = {
  generator: 'Pagefind',
  // Starlight loads Pagefind without naming it in its pages.
  isOf: (html) => /pagefind|content="Starlight|<starlight-/i.test(html),
  async read(site) {
    const bundle = await findBundle(site)
    if (!bundle) return undefined
    const limit = pLimit(maxConcurrentReads)
    const pages: IndexedPage[] = []
    for (const [language, { hash }] of Object.entries(bundle.entry.languages)) {
      const packed = await site.bytes(`${bundle.url}pagefind.${hash}.pf_meta`)
      if (!packed) continue
      const [, fragments] = decode(unpack(packed)) as [unknown, [hash: string, words: number][]]
      const selected = fragments.slice(0, site.maxPages - pages.length)
      const found = await Promise.all(
        selected.map(([name]) =>
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
  ].map(([, path = '']) => new URL(path, url).href)
  const siblings = roots.flatMap((root) => [`${root}pagefind/`, `${root}_pagefind/`])
  for (const bundle of new Set([...named, ...siblings])) {
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
  const plain = isGzip ? gunzipSync(packed, { maxOutputLength: maxUnpacked }) : Buffer.from(packed)
  return plain.subarray(0, bom.length).toString() === bom ? plain.subarray(bom.length) : plain
}

/** A section ends where the next anchor begins. */
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
