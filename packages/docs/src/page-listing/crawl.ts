import { setTimeout as sleep } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import { decodeHtml } from '../fetch/decode-html.ts'
import type { HttpClient } from '../fetch/http-client.ts'
import type { Robots } from '../fetch/robots.ts'
import type { CleanPool } from '../page/clean-pool.ts'
import type { DocsError } from '../protocol/docs-error.ts'
import { formatOf, isBinary, isHtmlText } from '../protocol/page-format.ts'
import { indexedPage } from '../search-index/indexed-page.ts'
import type { IndexedPage } from '../search-index/search-index.ts'

export interface CrawlOptions {
  client: HttpClient
  cleaner: CleanPool
  robots: Robots
  maxPages: number
  isRequested: (url: string) => boolean
  signal: AbortSignal
  /**
   * Counts pages that failed for a transient reason and pages that robots.txt forbids; `more` is
   * true if there were more than `maxPages`.
   */
  failures: { transient: number; more: boolean; forbidden: number }
}

/** At most this many links away from the first page. */
const maxDepth = 12

/** Pages reachable by links, in breadth-first order; each is read once. */
export async function* crawl(
  first: string,
  { client, cleaner, robots, maxPages, isRequested, signal, failures }: CrawlOptions,
): AsyncGenerator<IndexedPage> {
  const seen = new Set([first])
  let level = [first]
  let read = 0
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    const below: string[] = []
    for (const url of level) {
      if (signal.aborted) return
      if (read >= maxPages) {
        failures.more = true
        return
      }
      if (url !== first && !(await robots.isAllowed(url))) {
        failures.forbidden++
        continue
      }
      const delay = read > 0 ? await robots.delayOf(url) : 0
      if (delay > 0) await sleep(delay, undefined, { signal }).catch(() => {})
      const found = await client.get(url).catch((error: DocsError) => {
        if (error.code !== 'not_found') failures.transient++
      })
      if (!found || !formatOf(found.type, new URL(found.url).pathname)) continue
      if (isBinary(found.bytes, found.charset) || !(found.url === url || isRequested(found.url)))
        continue
      const text = decodeHtml(found.bytes, found.charset)
      if (found.type !== 'text/html' && !isHtmlText(text)) continue
      for (const link of linksIn(text, found.url))
        if (!seen.has(link) && isRequested(link)) {
          seen.add(link)
          below.push(link)
        }
      read++
      // A page that cannot be cleaned is skipped.
      const page = await cleaner
        .clean({ text, format: 'html', url: found.url })
        .catch(() => undefined)
      if (page && page.sections.length > 0) yield indexedPage(page, url, '')
    }
    level = below
  }
  failures.more = level.length > 0
}

const noPage =
  /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|mjs|json|xml|pdf|zip|gz|tgz|mp4|webm|woff2?|txt)$/i

/** Targets of a page's links, without fragments and queries. */
function linksIn(html: string, base: string): Set<string> {
  const links = new Set<string>()
  let baseUrl = base
  const parser = new Parser({
    onopentag(name, { href }) {
      if (href === undefined || !URL.canParse(href, baseUrl)) return
      if (name === 'base') baseUrl = new URL(href, base).href
      if (name !== 'a') return
      const url = new URL(href, baseUrl)
      if (!/^https?:$/.test(url.protocol) || noPage.test(url.pathname)) return
      url.hash = ''
      url.search = ''
      links.add(url.href)
    },
  })
  parser.end(html)
  return links
}
