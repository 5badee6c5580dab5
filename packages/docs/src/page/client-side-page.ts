import type { PageLink } from '#formats/format'
import type { StoredPage } from './cache/page-store.ts'

const firstPages = ['README.md', 'index.md']
const lists = ['_sidebar.md', '_navbar.md']

/**
 * The first page of a site whose scripts show Markdown, as docsify does, with the links of its side
 * bar; undefined for any other.
 */
export async function clientSidePage(
  page: string,
  markdownAt: (url: string) => Promise<StoredPage | undefined>,
): Promise<StoredPage | undefined> {
  const read = (name: string) => markdownAt(new URL(name, page).href)
  const documents = await Promise.all([...firstPages, ...lists].map(read))
  const pages = documents.flatMap((document) => document ?? [])
  const [first] = pages
  const links = pages.flatMap((document) => document.links)
  return first && { ...first, links: clientSideLinks(links, page) }
}

/**
 * Links between Markdown that a script shows, as URLs of that Markdown: `/guide` and `/guide/` are
 * `guide.md` and `guide/README.md` below the page.
 */
function clientSideLinks(links: readonly PageLink[], page: string): PageLink[] {
  const folder = new URL('.', page)
  return links.map((link) => {
    const url = new URL(link.url)
    if (url.host !== folder.host) return link
    const isBelow = url.pathname.startsWith(folder.pathname)
    const path = isBelow ? url.pathname : folder.pathname + url.pathname.slice(1)
    const last = path.slice(path.lastIndexOf('/') + 1)
    url.pathname = path + (last === '' ? 'README.md' : last.includes('.') ? '' : '.md')
    return { ...link, url: url.href }
  })
}
