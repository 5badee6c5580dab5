import type { IndexedPage } from '../search-index/search-index.ts'
import { type IndexEntry, indexPages } from './index-pages.ts'
import type { Site, StaticIndexReader } from './static-index-reader.ts'

/** Of @easyops-cn/docusaurus-search-local: titles, headings, descriptions, keywords, text. */
interface LocalDocument {
  i: number
  /** A title; of the last three kinds a text, with the title of its section in `s`. */
  t: string
  s?: string
  u: string
  h?: string
  /** The document that is its page. */
  p?: number
}
/** Of docusaurus-lunr-search. */
interface LunrDocument {
  title: string
  pageTitle?: string
  url: string
  content: string
}

const mostScripts = 8

export const docusaurus: StaticIndexReader = {
  generator: 'Docusaurus',
  isOf: (html) => /content="Docusaurus|id="__docusaurus"|docusaurus-/i.test(html),
  async read(site) {
    const names = new Set(['search-index.json', 'search-doc.json', ...(await namesInScripts(site))])
    for (const root of rootsOf(site))
      for (const name of names) {
        const found = await site.text(root + name)
        const pages = found && pagesOf(JSON.parse(found), root)
        if (pages && pages.length > 0) return pages
      }
    return undefined
  },
}

/** Where the site's own scripts lie is its root. */
function rootsOf({ url, html, roots }: Site): Set<string> {
  const assets = /(?:src|href)="([^"]{0,500}?)assets\/(?:js|css)\//.exec(html)?.[1]
  return new Set([...(assets === undefined ? [] : [new URL(assets || './', url).href]), ...roots])
}

/** A name with a hash stands only in the scripts of the site. */
async function namesInScripts({ url, html, text }: Site): Promise<string[]> {
  const scripts = [...html.matchAll(/src="([^"]{0,500}assets\/js\/[^"]{1,500}\.js)"/g)].slice(
    0,
    mostScripts,
  )
  const names: string[] = []
  for (const [, src = ''] of scripts) {
    const script = (await text(new URL(src, url).href)) ?? ''
    for (const [, name = ''] of script.matchAll(
      /["'`]((?:search-index|search-doc)[^"'`?\s]{0,200}\.json)/g,
    ))
      names.push(name.replace('{dir}', ''))
  }
  return names
}

function pagesOf(index: unknown, root: string): IndexedPage[] | undefined {
  const { searchDocs = undefined } = (index ?? {}) as { searchDocs?: LunrDocument[] }
  const list = Array.isArray(index) ? index : searchDocs
  if (!Array.isArray(list)) return undefined
  const isLocal = list.some((part) => Array.isArray(part?.documents))
  return indexPages(
    isLocal
      ? localEntries(list as { documents: LocalDocument[] }[], root)
      : lunrEntries(list as LunrDocument[], root),
  )
}

function localEntries(
  parts: readonly { documents: LocalDocument[] }[],
  root: string,
): IndexEntry[] {
  const [pages, headings, ...texts] = parts.map(({ documents }) => documents)
  const titles = new Map((pages ?? []).map(({ i, t }) => [i, t]))
  const entries = new Map<string, IndexEntry>()
  const enter = ({ u, h = '', p, i }: LocalDocument, title: string) => {
    const url = new URL(u + h, root).href
    const known = entries.get(url)
    const path = [titles.get(p ?? i) ?? ''].filter(Boolean)
    const entry: IndexEntry = known ?? { url, title, text: '', path }
    entries.set(url, entry)
    return entry
  }
  for (const document of [...(pages ?? []), ...(headings ?? [])]) enter(document, document.t)
  for (const document of texts.flat()) {
    const entry = enter(document, document.s ?? '')
    entry.text = `${entry.text}\n${document.t}`.trim()
  }
  return [...entries.values()]
}

const lunrEntries = (documents: readonly LunrDocument[], root: string): IndexEntry[] =>
  documents.map(({ title, pageTitle, url, content }) => ({
    url: new URL(url, root).href,
    // Headings end in the invisible sign of their permalink.
    title: title.replace(/\u200b/g, '').trim(),
    text: content.trim(),
    ...(pageTitle && { path: [pageTitle] }),
  }))
