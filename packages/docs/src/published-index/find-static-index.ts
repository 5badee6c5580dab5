import { formatOf } from '../common/page-format.ts'
import { decodeHtml } from '../fetch/decode-html.ts'
import type { HttpClient, HttpResponse } from '../fetch/http-client.ts'
import { readText } from '../fetch/read-text.ts'
import type { IndexedPage } from '../search-index/search-index.ts'
import { docusaurus } from './docusaurus.ts'
import { mdbook } from './mdbook.ts'
import { mkdocs } from './mkdocs.ts'
import { pagefind } from './pagefind.ts'
import { rustdoc } from './rustdoc.ts'
import { sphinx } from './sphinx.ts'
import type { Site, StaticIndexReader } from './static-index-reader.ts'
import { vitepress } from './vitepress.ts'

const readers: readonly StaticIndexReader[] = [
  pagefind,
  sphinx,
  mkdocs,
  mdbook,
  rustdoc,
  docusaurus,
  vitepress,
]

export interface StaticIndex {
  generator: string
  pages: IndexedPage[]
  more: boolean
}

const mostBytes = 64 * 2 ** 20
const mostRoots = 6
/** Of a page, to tell its generator. */
const longestLooked = 2 ** 20

/** The index that a site brings for its own search box, read instead of the pages. */
export async function findStaticIndex(
  front: HttpResponse,
  client: HttpClient,
  mostPages: number,
): Promise<StaticIndex | undefined> {
  if (formatOf(front.type, new URL(front.url).pathname) !== 'html') return undefined
  const site: Site = {
    url: front.url,
    html: decodeHtml(front.bytes, front.charset).slice(0, longestLooked),
    roots: rootsOf(front.url),
    mostPages,
    text: async (url) => (isOfHost(url) ? (await readText(client, url))?.text : undefined),
    bytes: async (url) =>
      isOfHost(url)
        ? (await client.get(url, { accept: '*/*', maxBytes: mostBytes }).catch(() => undefined))
            ?.bytes
        : undefined,
  }
  for (const { generator, isOf, read } of readers) {
    if (!isOf(site.html)) continue
    // An index of a version that nobody foresaw is none.
    const pages = await read(site).catch(() => undefined)
    if (pages && pages.length > 0) return { generator, pages, more: pages.length > mostPages }
  }
  return undefined

  function isOfHost(url: string): boolean {
    return new URL(url).host === new URL(front.url).host
  }
}

function rootsOf(url: string): string[] {
  const roots: string[] = []
  for (
    let root = new URL('.', url).href;
    roots.length < mostRoots;
    root = new URL('..', root).href
  ) {
    if (roots.at(-1) === root) break
    roots.push(root)
  }
  return roots
}
