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
  const before = pages.slice(0, Math.max(0, at)).filter(isPage)
  const [next] = at < 0 ? [] : pages.slice(at + 1).filter(isPage)
  const previous = before.at(-1)
  // A group without a page is skipped; its parent is above.
  const up = around(pages, at).find(isPage)
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

/** The ancestors of the page at a position of a guide, innermost first. */
function around<P extends { level: number }>(pages: readonly P[], at: number): P[] {
  let least = pages[at]?.level ?? 0
  return pages
    .slice(0, Math.max(0, at))
    .toReversed()
    .filter(({ level }) => {
      if (level >= least) return false
      least = level
      return true
    })
}

/** A related page. */
export interface RelatedPage {
  url: string
  title: string
}
