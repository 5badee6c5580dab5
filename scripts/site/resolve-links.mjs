import { existsSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { repositoryUrl } from './addresses.mjs'

/**
 * Targets of Markdown links: `{ page }` of the site with its `hash`, `{ asset }` to be copied,
 * `{ url }` elsewhere; or `{ problem }`.
 */
export function createLinkResolver(root, pages) {
  const bySource = new Map(pages.map((page) => [page.source, page]))

  return function resolveLink(from, link, isImage = false) {
    if (/^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(link)) return { url: link }
    const [, way, hash] = /^([^?#]*)(.*)$/.exec(link)
    const target = posix.normalize(posix.join(posix.dirname(from.source), decodeURIComponent(way)))
    const name = target.replace(/\/$/, '')
    const page = [name, `${name}/README.md`, `${name}/index.md`]
      .map((source) => bySource.get(source))
      .find(Boolean)
    if (page) return { page, hash }
    const file = join(root, name)
    if (name.startsWith('..') || !existsSync(file))
      return { url: link, problem: `${from.source} links to ${link}, which does not exist` }
    const isFolder = statSync(file).isDirectory()
    if (!isFolder && (isImage || (name.startsWith('docs/') && !name.endsWith('.md'))))
      return { asset: name, path: name.replace(/^docs\//, '') }
    return { url: `${repositoryUrl}/${isFolder ? 'tree' : 'blob'}/main/${name}${hash}` }
  }
}

/** Relative path from a page to a file of the site. */
export const wayTo = (page, path) => posix.relative(posix.dirname(page.path), path)

/** The URL of a link; `ending` is `html`, or `md` in Markdown variants. */
export function hrefOf(page, found, ending) {
  if (found.page) return wayTo(page, `${found.page.path}.${ending}`) + found.hash
  return found.asset ? wayTo(page, found.path) : found.url
}
