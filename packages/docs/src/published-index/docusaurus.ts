import type { IndexedPage } from '../search-index/search-index.ts'
import { type IndexEntry, indexPages } from './index-pages.ts'
import type { PublishedIndexReader, Site } from './published-index-reader.ts'

/**
 * Entry of @easyops-cn/docusaurus-search-local: five lists of titles, headings, descriptions,
 * keywords and texts.
 */
interface LocalDocument {
  i: number
  /** A title; in the last three lists a text, with the title of its section in `s`. */
  t: string
  s?: string
  u: string
  h?: string
  /** The `i` of the document of its page. */
  p?: number
}
/** Entry of docusaurus-lunr-search. */
interface LunrDocument {
  title: string
  pageTitle?: string
  url: string
  content: string
}

const maxScripts = 8

export const docusaurus: PublishedIndexReader = {
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

/** The folder that contains the site's own scripts is its root. */
function rootsOf({ url, html, roots }: Site): Set<string> {
  const assets = /(?:src|href)="([^"]{0,500}?)assets\/(?:js|css)\//.exec(html)?.[1]
  return new Set([...(assets === undefined ? [] : [new URL(assets || './', url).href]), ...roots])
}

/** A file name with a hash occurs only in the scripts of the site. */
async function namesInScripts({ url, html, text }: Site): Promise<string[]> {
  const scripts = [...html.matchAll(/src="([^"]{0,500}assets\/js\/[^"]{1,500}\.js)"/g)].slice(
    0,
    maxScripts,
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
    // Headings end in a zero-width space, the text of their permalink.
    title: title.replace(/\u200b/g, '').trim(),
    text: content.trim(),
    ...(pageTitle && { path: [pageTitle] }),
  }))
