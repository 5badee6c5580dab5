import { setTimeout as sleep } from 'node:timers/promises'
import type { Robots } from '../fetch/robots.ts'
import type { PageLink } from '../protocol/page-links.ts'
import { type ListedPage, linkStamp } from './listing.ts'

/** How pages without a listing were found, as replies show it. */
export const viaLinks = 'links from page to page'

/** Follows links as far as robots.txt allows. */
export class LinkFollower {
  readonly #robots: Robots
  #nextAt = 0

  constructor(robots: Robots) {
    this.#robots = robots
  }

  /** Waits as long as robots.txt requests between pages. */
  async turn(url: string, signal: AbortSignal): Promise<void> {
    const delay = await this.#robots.delayOf(url)
    const wait = Math.max(0, this.#nextAt - performance.now())
    this.#nextAt = performance.now() + wait + delay
    if (wait > 0) await sleep(wait, undefined, { signal })
  }

  /** The pages below a URL among the targets of links, and those that robots.txt forbids. */
  async pagesOf(
    links: readonly PageLink[],
    below: string,
  ): Promise<{ allowed: ListedPage[]; forbidden: string[] }> {
    const pages = new Map<string, ListedPage>()
    const forbidden = new Set<string>()
    for (const { url: target, title } of links) {
      const url = pageAt(target, below)
      if (url === undefined) continue
      const known = pages.get(url)
      if (known) known.text += ` ${title}`
      else if (await this.#robots.isAllowed(url))
        pages.set(url, { location: { kind: 'web', url }, text: title, stamp: linkStamp })
      else forbidden.add(url)
    }
    return { allowed: [...pages.values()], forbidden: [...forbidden] }
  }
}

const otherFiles =
  /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|mjs|json|xml|pdf|zip|gz|tgz|mp4|webm|woff2?|map|inv)$/i
/** Folders of a documentation build without pages. */
const otherFolders = /\/_(?:static|sources|images)\//
const maxLength = 1_000

/** The URL of a page without its fragment and query; undefined for other files. */
function pageAt(target: string, below: string): string | undefined {
  if (!target.startsWith(below) || target.length > maxLength) return undefined
  const url = target.replace(/[?#].*$/s, '')
  return otherFiles.test(url) || otherFolders.test(url) ? undefined : url
}

/** Spellings of the URL of one page, by which links to it are recognised. */
export function spellingsOf(url: string): string[] {
  const plain = url.replace(/\/(?:index\.x?html?)?$/i, '')
  const rendered = plain.replace(/\.mdx?$/i, '')
  return rendered === plain ? [plain] : [plain, rendered, `${rendered}.html`]
}
