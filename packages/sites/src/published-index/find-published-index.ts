import { decodeHtml } from '#fetch/decode-html'
import type { HttpClient, HttpResponse } from '#fetch/http-client'
import { readText } from '#fetch/read-text'
import { formatOf } from '#formats/page-format'
import { html as htmlFormat } from '#formats/readers/html'
import { docusaurus } from './docusaurus.ts'
import { doxygen } from './doxygen.ts'
import { exDoc } from './ex-doc.ts'
import { javadoc } from './javadoc.ts'
import { justTheDocs } from './just-the-docs.ts'
import { mdbook } from './mdbook.ts'
import { mkdocs } from './mkdocs.ts'
import {
  type PublishedIndexReader,
  type PublishedPage,
  proposedBy,
  type Site,
} from './published-index-reader.ts'
import { rustdoc } from './rustdoc.ts'
import { sphinx } from './sphinx.ts'
import { typedoc } from './typedoc.ts'
import { vitepress } from './vitepress.ts'

const readers: readonly PublishedIndexReader[] = [
  sphinx,
  mkdocs,
  mdbook,
  rustdoc,
  docusaurus,
  vitepress,
  javadoc,
  doxygen,
  typedoc,
  exDoc,
  justTheDocs,
]

const maxRoots = 6
/** Characters of a page that are searched for the mark of its generator. */
const maxLookedLength = 2 ** 20

/** Read the index that a site publishes for its own search box: it names the pages. */
export async function findPublishedIndex(
  front: HttpResponse,
  client: HttpClient,
): Promise<{ generator: string; pages: PublishedPage[] } | undefined> {
  const html = decodeHtml(front.bytes, front.charset).slice(0, maxLookedLength)
  if (formatOf(front, html) !== htmlFormat) return undefined
  const isOfHost = (url: string) => new URL(url).host === new URL(front.url).host
  const site: Site = {
    url: front.url,
    html,
    roots: rootsOf(front.url),
    text: async (url) => (isOfHost(url) ? (await readText(client, url))?.text : undefined),
    page: async (url) => {
      const response = isOfHost(url) ? await client.request(url).catch(() => undefined) : undefined
      return response && decodeHtml(response.bytes, response.charset).slice(0, maxLookedLength)
    },
  }
  for (const { generator, mark, read } of readers) {
    if (!mark.test(site.html)) continue
    // An index of an unsupported version is ignored.
    const entries = await read(site).catch(() => undefined)
    if (entries && entries.length > 0) return { generator, pages: proposedBy(entries) }
  }
  return undefined
}

function rootsOf(url: string): string[] {
  const roots: string[] = []
  for (
    let root = new URL('.', url).href;
    roots.length < maxRoots && roots.at(-1) !== root;
    root = new URL('..', root).href
  )
    roots.push(root)
  return roots
}
