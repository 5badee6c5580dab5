import type { PageLink } from '../protocol/page-links.ts'

/**
 * Links between Markdown that a script shows, as URLs of that Markdown: `/guide` and `/guide/` are
 * `guide.md` and `guide/README.md` below the page.
 */
export function clientSideLinks(links: readonly PageLink[], page: string): PageLink[] {
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
