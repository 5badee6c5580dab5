import { setTimeout as sleep } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import type { DocsError } from '../common/docs-error.ts'
import { formatOf, isBinary, isHtmlText } from '../common/page-format.ts'
import { decodeHtml } from '../fetch/decode-html.ts'
import type { HttpClient } from '../fetch/http-client.ts'
import type { Robots } from '../fetch/robots.ts'
import type { ApartCleaner } from '../page/clean-apart.ts'
import { indexedPage } from '../search-index/indexed-page.ts'
import type { IndexedPage } from '../search-index/search-index.ts'

export interface CrawlOptions {
  client: HttpClient
  cleaner: ApartCleaner
  robots: Robots
  mostPages: number
  isWanted: (url: string) => boolean
  signal: AbortSignal
  /** Told of pages that could not be read for a reason that may pass, that were more than wanted, and that robots.txt forbids. */
  failures: { passing: number; more: boolean; forbidden: number }
}

/** Links away from the first page at most. */
const deepest = 12

/** Pages that are linked from a page, and from those in turn, nearest first; each is read once. */
export async function* crawl(
  first: string,
  { client, cleaner, robots, mostPages, isWanted, signal, failures }: CrawlOptions,
): AsyncGenerator<IndexedPage> {
  const seen = new Set([first])
  let level = [first]
  let read = 0
  for (let depth = 0; depth <= deepest && level.length > 0; depth++) {
    const below: string[] = []
    for (const url of level) {
      if (signal.aborted) return
      if (read >= mostPages) {
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
        if (error.code !== 'not_found') failures.passing++
      })
      if (!found || !formatOf(found.type, new URL(found.url).pathname)) continue
      if (isBinary(found.bytes, found.charset) || !(found.url === url || isWanted(found.url)))
        continue
      const text = decodeHtml(found.bytes, found.charset)
      if (found.type !== 'text/html' && !isHtmlText(text)) continue
      for (const link of linksIn(text, found.url))
        if (!seen.has(link) && isWanted(link)) {
          seen.add(link)
          below.push(link)
        }
      read++
      // One page that cannot be read is no reason to leave out the others.
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
