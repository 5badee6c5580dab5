import { DocsError } from '../protocol/docs-error.ts'
import type { Sites } from '../site-search/open-sites.ts'
import type { Recommendation } from '../site-search/port/site.ts'

/** Pages around a page, from its site. */
export interface Siblings {
  recommended: Recommendation[]
  /** URL of the contents of the guide; the neighbours below are from it. */
  guide?: string
  next?: RelatedPage
  previous?: RelatedPage
  up?: RelatedPage
  /** Why a request to the site failed. */
  problem?: string
}

/** Query the site of a page. A failed request leaves out its part and adds a `problem`. */
export async function siblingsOf(
  url: string,
  sites: Sites,
  signal: AbortSignal | undefined,
): Promise<Siblings> {
  const found = sites.at(url)
  if (!found) return { recommended: [] }
  const problems: string[] = []
  const ignoringFailure = (error: unknown): undefined => {
    signal?.throwIfAborted()
    if (!(error instanceof DocsError)) throw error
    problems.push(error.message)
  }
  const [recommended = [], contents] = await Promise.all([
    found.site.recommend?.(url, signal).catch(ignoringFailure),
    found.site.contents?.(url, signal).catch(ignoringFailure),
  ])
  const pages = contents?.pages ?? []
  const at = pages.findIndex((page) => page.url.split('#')[0] === url)
  const level = pages[at]?.level ?? 0
  const before = pages.slice(0, Math.max(0, at)).filter(isPage)
  const [next] = at < 0 ? [] : pages.slice(at + 1).filter(isPage)
  const previous = before.at(-1)
  // A group without a page is skipped; its parent is above.
  const up = before.findLast((page) => page.level < level && isAround(page, pages, at))
  return {
    recommended,
    ...(contents && { guide: contents.url }),
    ...(next && { next: { url: next.url, title: next.title } }),
    ...(previous && { previous: { url: previous.url, title: previous.title } }),
    ...(up && { up: { url: up.url, title: up.title } }),
    ...(problems.length > 0 && { problem: problems.join(' ') }),
  }
}

const isPage = ({ url }: { url: string }): boolean => url !== ''

/** True if a page of a guide is an ancestor of the one at a position. */
function isAround(
  page: { level: number },
  pages: readonly { level: number }[],
  at: number,
): boolean {
  const from = pages.indexOf(page)
  return pages.slice(from + 1, at).every(({ level }) => level > page.level)
}

/** A related page. */
export interface RelatedPage {
  url: string
  title: string
}
