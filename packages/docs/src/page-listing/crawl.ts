import { setTimeout as sleep } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import { decodeHtml } from '../fetch/decode-html.ts'
import type { HttpClient, HttpResponse } from '../fetch/http-client.ts'
import { llmsLinks } from '../fetch/llms-links.ts'
import type { Robots } from '../fetch/robots.ts'
import type { CleanPool } from '../page/clean-pool.ts'
import { DocsError } from '../protocol/docs-error.ts'
import { formatOf, isBinary, isHtmlText } from '../protocol/page-format.ts'
import { quoteValue } from '../protocol/quote-value.ts'
import { indexedPage } from '../search-index/indexed-page.ts'
import type { IndexedPage } from '../search-index/search-index.ts'
import type { ListedPage } from './listing.ts'

/** How such pages were found, as replies show it. */
export const viaLinks = 'links from page to page'

export interface CrawlDeps {
  client: HttpClient
  cleaner: CleanPool
  robots: Robots
}

/** A page and the pages that it links to. */
interface CrawledPage {
  page: IndexedPage
  links: ListedPage[]
  /** Links that robots.txt forbids. */
  forbidden: string[]
}

/** Reads a page that was found by a link. */
export type Crawler = (entry: ListedPage, signal: AbortSignal) => Promise<CrawledPage>

/** At most this many links away from the first page. */
const maxDepth = 12
/** The stamp of a page that was not read yet counts the links from the first page to it. */
const stampAt = (depth: number): string => `${depth} links away`

/** Follows links below a URL. The delay of robots.txt is kept between pages. */
export function createCrawler(below: string, deps: CrawlDeps): Crawler {
  let nextAt = 0
  return async ({ location, stamp }, signal) => {
    const url = location.kind === 'web' ? location.url : ''
    const delay = await deps.robots.delayOf(url)
    const wait = nextAt - performance.now()
    nextAt = performance.now() + Math.max(0, wait) + delay
    if (wait > 0) await sleep(wait, undefined, { signal })
    const found = await deps.client.get(url, { signal })
    if (!found.url.startsWith(below) && found.url !== url) throw noPage(url)
    return crawled(url, found, Number.parseInt(stamp, 10) || 0, below, deps)
  }
}

/** @throws {DocsError} `unsupported_type` for anything but an HTML or Markdown page. */
export async function crawled(
  url: string,
  found: HttpResponse,
  depth: number,
  below: string,
  { cleaner, robots }: Omit<CrawlDeps, 'client'>,
): Promise<CrawledPage> {
  const format = formatOf(found.type, new URL(found.url).pathname)
  if (!format || isBinary(found.bytes, found.charset)) throw noPage(url)
  const text = decodeHtml(found.bytes, found.charset)
  const isHtml = isHtmlText(text) || /html/.test(found.type)
  if (!isHtml && format === 'html') throw noPage(url)
  const targets = isHtml ? linksIn(text, found.url) : markdownLinks(text, found.url)
  const links: ListedPage[] = []
  const forbidden: string[] = []
  for (const [link, title] of depth < maxDepth ? targets : []) {
    if (!link.startsWith(below) || link === url) continue
    const location = { kind: 'web' as const, url: link }
    if (await robots.isAllowed(link))
      links.push({ location, text: title, stamp: stampAt(depth + 1) })
    else forbidden.push(link)
  }
  const page = await cleaner.clean({ text, format: isHtml ? 'html' : 'markdown', url: found.url })
  return { page: indexedPage(page, url, ''), links, forbidden }
}

const otherFiles =
  /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|mjs|json|xml|pdf|zip|gz|tgz|mp4|webm|woff2?)$/i
const maxTextLength = 200

/** Targets of a page's links, without fragments and queries, each with the text of its links. */
function linksIn(html: string, base: string): Map<string, string> {
  const links = new Map<string, string>()
  let baseUrl = base
  let open: string | undefined
  const parser = new Parser(
    {
      onopentag(name, { href }) {
        if (href === undefined || !URL.canParse(href, baseUrl)) return
        if (name === 'base') baseUrl = new URL(href, base).href
        if (name !== 'a') return
        open = pageAt(href, baseUrl)
        if (open !== undefined && !links.has(open)) links.set(open, '')
      },
      ontext(text) {
        const known = open === undefined ? undefined : links.get(open)
        if (open !== undefined && known !== undefined && known.length < maxTextLength)
          links.set(open, known + text)
      },
      onclosetag(name) {
        if (name !== 'a') return
        if (open !== undefined) links.set(open, `${links.get(open) ?? ''} `)
        open = undefined
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
  return links
}

function markdownLinks(text: string, base: string): Map<string, string> {
  const links = new Map<string, string>()
  for (const { url, title } of llmsLinks(text, base)) {
    const page = pageAt(url, base)
    if (page !== undefined) links.set(page, title)
  }
  return links
}

function pageAt(href: string, base: string): string | undefined {
  const url = new URL(href, base)
  if (!/^https?:$/.test(url.protocol) || otherFiles.test(url.pathname)) return undefined
  url.hash = ''
  url.search = ''
  return url.href
}

const noPage = (url: string): DocsError =>
  new DocsError('unsupported_type', `${quoteValue(url)} is not a page.`, 'Read another page.')
