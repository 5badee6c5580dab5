import { setTimeout as sleep } from 'node:timers/promises'
import type { Robots } from '#fetch/robots'
import type { PageLink } from '#formats/format'
import { type ListedPage, linkStamp } from './listing.ts'

/** How pages without a listing were found, as replies show it. */
export const viaLinks = 'links from page to page'
/** The same for a page whose links are not followed. */
export const viaFailedRobots = 'links not followed, because the server fails to send robots.txt'

/** Follows links as far as robots.txt allows. */
export class LinkFollower {
  readonly #robots: Robots
  /** By source: addresses with a query so far. */
  readonly #queries = new Map<string, Set<string>>()
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

  /**
   * The pages below a URL among the targets of links from a page, and those that robots.txt
   * forbids. `more` if there are too many with a query.
   */
  async pagesOf(
    links: readonly PageLink[],
    below: string,
    page: string,
  ): Promise<{ allowed: ListedPage[]; forbidden: string[]; more: boolean }> {
    const pages = new Map<string, ListedPage>()
    const forbidden = new Set<string>()
    const queries = this.#queries.get(below) ?? new Set()
    this.#queries.set(below, queries)
    let more = false
    for (const { url: target, title } of links) {
      const url = pageAt(target, below, page)
      if (url === undefined) continue
      const isFull = url.includes('?') && !queries.has(url) && queries.size >= maxQueries
      more ||= isFull
      if (isFull) continue
      if (url.includes('?')) queries.add(url)
      const listedPage = pages.get(url)
      if (listedPage) listedPage.text += ` ${title}`
      else if (await this.#robots.isAllowed(url))
        pages.set(url, { location: { kind: 'web', url }, text: title, stamp: linkStamp })
      else forbidden.add(url)
    }
    return { allowed: [...pages.values()], forbidden: [...forbidden], more }
  }
}

const otherFiles =
  /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|mjs|json|xml|pdf|zip|gz|tgz|mp4|webm|woff2?|map|inv)$/i
/** Folders of a documentation build without pages. */
const otherFolders = /\/_(?:static|sources|images)\//
const maxLength = 1_000

/** At most this many pages of a source differ by their query only. */
const maxQueries = 500
/** Parameters of a query that show the same page in another way, or tell who reads it. */
const viewParameters =
  /^(?:utm_.*|_ga|gclid|fbclid|mc_[ce]id|ref|referr?er|source|from|sort.*|order(?:by)?|dir|(?:php|j|asp)?sess(?:ion)?(?:_?id)?|sid|token|print(?:able|er|er_?friendly)?|pdf|format|output|export|download|action|do|oldid|diff|rev(?:ision)?|replytocom|share|edit|history|theme|style|skin|lang|language|locale|hl|view|tabs?|highlight|q|query|search|keywords?|return(?:_?to|_?url)?|redirect(?:_?to)?|next|login)$/i
/** Columns and order of a folder listed by a server. */
const listParameters = /^[CO](?:=|$)/
/** Programs whose pages differ by the query. */
const programName = /\.(?:php\d?|aspx?|jsp|cgi|pl|cfm|do)$/i

/**
 * The URL of a page without its fragment; undefined for other files. A query belongs to it if the
 * linking page has the same path, or a program answers.
 */
function pageAt(target: string, below: string, page: string): string | undefined {
  if (!target.startsWith(below) || target.length > maxLength) return undefined
  const [url = '', query] = (target.split('#', 1)[0] ?? '').split(/\?(.*)/s)
  if (otherFiles.test(url) || otherFolders.test(url)) return undefined
  if (query === undefined || !(programName.test(url) || folderOf(url) === folderOf(page)))
    return url
  const parameters = query.split('&').filter(isOfPage)
  return parameters.length > 0 ? `${url}?${parameters.join('&')}` : url
}

const isOfPage = (parameter: string): boolean =>
  parameter !== '' &&
  !listParameters.test(parameter) &&
  !viewParameters.test(parameter.split('=', 1)[0] ?? '')

/** A URL without query and fragment, and without the name of the first page of a folder. */
const folderOf = (url: string): string =>
  url.replace(/[?#].*$/s, '').replace(/\/(?:index|default)\.\w{1,5}$/i, '/')

/** Spellings of the URL of one page, by which links to it are recognised. */
export function spellingsOf(url: string): string[] {
  const withoutIndex = url.replace(/\/(?:index\.x?html?)?$/i, '')
  const rendered = withoutIndex.replace(/\.mdx?$/i, '')
  return rendered === withoutIndex ? [withoutIndex] : [withoutIndex, rendered, `${rendered}.html`]
}
