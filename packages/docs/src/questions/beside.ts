import { DocsError } from '../common/docs-error.ts'
import type { Sites } from '../site-search/open-sites.ts'
import type { Recommendation } from '../site-search/port/site.ts'

/** What the site of a page says of the pages around it. */
export interface Beside {
  recommended: Recommendation[]
  /** Its neighbours in the contents of the guide, which this is the address of. */
  guide?: string
  next?: RelatedPage
  previous?: RelatedPage
  up?: RelatedPage
  /** Why the site was asked in vain. */
  problem?: string
}

/** Ask the site of a page; what it does not say is left out, and why. */
export async function besideOf(
  url: string,
  sites: Sites,
  signal: AbortSignal | undefined,
): Promise<Beside> {
  const found = sites.at(url)
  if (!found) return { recommended: [] }
  const problems: string[] = []
  const unlessFailed = (error: unknown): undefined => {
    signal?.throwIfAborted()
    if (!(error instanceof DocsError)) throw error
    problems.push(error.message)
  }
  const [recommended = [], contents] = await Promise.all([
    found.site.recommend?.(url, signal).catch(unlessFailed),
    found.site.contents?.(url, signal).catch(unlessFailed),
  ])
  const pages = contents?.pages ?? []
  const at = pages.findIndex((page) => page.url.split('#')[0] === url)
  const level = pages[at]?.level ?? 0
  const before = pages.slice(0, Math.max(0, at)).filter(isPage)
  const [next] = at < 0 ? [] : pages.slice(at + 1).filter(isPage)
  const previous = before.at(-1)
  // A group between has no page: what it stands in is above.
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

/** Whether a page of a guide stands around the one at a place, and not beside what is around it. */
function isAround(
  page: { level: number },
  pages: readonly { level: number }[],
  at: number,
): boolean {
  const from = pages.indexOf(page)
  return pages.slice(from + 1, at).every(({ level }) => level > page.level)
}

export interface RelatedPage {
  url: string
  title: string
}
