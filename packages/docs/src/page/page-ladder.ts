import type { Page } from '@pith-mcp/cleaner'
import CachePolicy from 'http-cache-semantics'
import { DocsError } from '../common/docs-error.ts'
import { formatOf, isBinary, isHtmlText } from '../common/page-format.ts'
import { type PageLink, readPageLinks } from '../common/page-links.ts'
import { quoteValue } from '../common/quote-value.ts'
import { decodeHtml } from '../fetch/decode-html.ts'
import type { HttpClient, HttpResponse } from '../fetch/http-client.ts'
import type { StoredPage } from './cache/page-store.ts'
import type { ApartCleaner } from './clean-apart.ts'
import { isTwinOf } from './is-twin-of.ts'
import { linksOf } from './links-of.ts'
import { createMarkdownRules } from './markdown-rules.ts'
import { createTwinMemory } from './twin-memory.ts'

export interface PageLadder {
  /** The page at a URL by the first rung that holds; a kept one is asked for changes only. */
  climb(url: string, kept?: StoredPage): Promise<StoredPage>
  /** The page as the HTML it is for browsers. */
  readHtml(url: string): Promise<StoredPage>
}

const preferMarkdown =
  'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.8, text/plain;q=0.5, */*;q=0.1'
const onlyMarkdown = 'text/markdown, text/plain;q=0.5'

/**
 * `Accept: text/markdown`, then what the page names as its Markdown, then its twin, then HTML. Where
 * the pages of a site name theirs by one rule, that is asked for first. Pages that `readsHtml` is true
 * of are read as HTML.
 */
export function createPageLadder(
  client: HttpClient,
  cleaner: ApartCleaner,
  readsHtml: (url: string) => boolean,
): PageLadder {
  const twins = createTwinMemory()
  const named = createMarkdownRules()

  return {
    async climb(url, kept) {
      const isHtmlOnly = readsHtml(url)
      if (kept && (!isHtmlOnly || kept.rung === 'html')) {
        const unchanged = await askForChanges(url, kept)
        if (unchanged) return unchanged
      }
      const expected = isHtmlOnly ? undefined : await fromExpected(url)
      if (expected) return expected
      const accept = isHtmlOnly ? {} : { accept: preferMarkdown }
      return read(url, await client.get(url, accept), 1)
    },
    async readHtml(url) {
      const response = await client.get(url)
      return fromHtml(url, response, textOf(url, response))
    },
  }

  /** The kept page with a new date, if the server says that it holds. */
  async function askForChanges(url: string, kept: StoredPage): Promise<StoredPage | undefined> {
    const headers = conditionsOf(kept)
    if (!headers) return undefined
    const isBeside = kept.rung === 'alternate' || kept.rung === 'twin'
    const target = isBeside ? kept.source : url
    const response = await client.get(target, {
      ...(!readsHtml(url) && { accept: preferMarkdown }),
      conditions: { url: kept.source, headers },
    })
    if (response.status === 304) return revalidated(kept, response)
    if (!isBeside) return read(url, response, 1)
    const page = await markdownPage(response, kept.page.url)
    return page && { ...storedFrom(url, response), page, links: kept.links, rung: kept.rung }
  }

  async function read(url: string, response: HttpResponse, jumps: number): Promise<StoredPage> {
    const text = textOf(url, response)
    const format = formatOf(response.type, new URL(response.url).pathname)
    if (format === 'markdown' && !isHtmlText(text)) {
      const page = await cleaner.clean({ text, format: 'markdown', url: response.url })
      return { ...storedFrom(url, response), page, links: [], rung: 'negotiated' }
    }
    const links = readPageLinks(text, response.url)
    const beside = readsHtml(response.url)
      ? undefined
      : ((await fromAlternate(url, response, links)) ??
        (await fromTwin(url, response, links, text)))
    const stored = beside ?? (await fromHtml(url, response, text))
    const onward = links.find(({ rel }) => rel === 'refresh')
    if (stored.page.sections.length > 0 || !onward || jumps <= 0 || onward.url === url)
      return stored
    const target = await client.get(onward.url, { accept: preferMarkdown })
    return { ...(await read(onward.url, target, jumps - 1)), url }
  }

  /** Without its links, which are in the HTML. */
  async function fromExpected(url: string): Promise<StoredPage | undefined> {
    const markdown = named.expected(url)
    if (markdown === undefined) return undefined
    const response = await client.get(markdown, { accept: onlyMarkdown }).catch(() => undefined)
    const page = response?.url === markdown ? await markdownPage(response, url) : undefined
    if (!response || !page) return undefined
    return { ...storedFrom(url, response), page, links: [], rung: 'alternate' }
  }

  async function fromAlternate(url: string, html: HttpResponse, links: PageLink[]) {
    const [link] = links.filter(({ rel }) => rel === 'markdown')
    named.note(html.url, link?.url)
    if (!link || new URL(link.url).host !== new URL(html.url).host) return undefined
    const response = await client.get(link.url, { accept: onlyMarkdown }).catch(() => undefined)
    const page = response && (await markdownPage(response, html.url))
    if (!response || !page) return undefined
    return { ...storedFrom(url, response), page, links, rung: 'alternate' as const }
  }

  async function fromTwin(url: string, html: HttpResponse, links: PageLink[], text: string) {
    const spelling = twins.spellings(html.url)
    const responses = await Promise.all(
      spelling.map((twin) => client.get(twin, { accept: onlyMarkdown }).catch(() => undefined)),
    )
    for (const [at, response] of responses.entries()) {
      const page = response && (await markdownPage(response, html.url))
      if (!response || response.url !== spelling[at] || !page || !isTwinOf(page, text)) continue
      twins.note(html.url, spelling[at])
      return { ...storedFrom(url, response), page, links, rung: 'twin' as const }
    }
    if (spelling.length > 0) twins.note(html.url, undefined)
    return undefined
  }

  async function fromHtml(url: string, response: HttpResponse, text: string): Promise<StoredPage> {
    const page = await cleaner.clean({ text, format: 'html', url: response.url })
    const links = linksOf(text, response.url, page)
    return { ...storedFrom(url, response), page, links, rung: 'html' }
  }

  /** The page of an answer that is Markdown, whatever it was called; undefined for anything else. */
  async function markdownPage(response: HttpResponse, url: string): Promise<Page | undefined> {
    const { type, bytes, charset } = response
    if (isBinary(bytes, charset) || type === 'text/html' || type === 'application/xhtml+xml')
      return undefined
    const text = decodeHtml(bytes, charset ?? 'utf-8')
    if (isHtmlText(text) || text.trim() === '') return undefined
    const page = await cleaner.clean({ text, format: 'markdown', url })
    return page.sections.length > 0 ? page : undefined
  }
}

function textOf(url: string, { type, bytes, charset, url: found }: HttpResponse): string {
  if (!formatOf(type, new URL(found).pathname) || isBinary(bytes, charset))
    throw new DocsError(
      'unsupported_type',
      `${quoteValue(url)} is ${type === '' ? 'not a page' : `of type ${quoteValue(type)}, not a page`}.`,
      'Pass a page of HTML or Markdown.',
    )
  return decodeHtml(bytes, charset)
}

const storedFrom = (url: string, response: HttpResponse) => ({
  url,
  source: response.url,
  fetchedAt: Date.now(),
  ...policyOf(response),
})

/** Absent for what may not be kept. */
function policyOf({ url, sent, status, headers }: HttpResponse): { policy?: object } {
  const policy = new CachePolicy(
    { url, method: 'GET', headers: sent },
    { status, headers },
    { shared: false },
  )
  return policy.storable() ? { policy: policy.toObject() } : {}
}

/** The kept page, fresh again by what the answer says of it. */
function revalidated(kept: StoredPage, { url, sent, status, headers }: HttpResponse): StoredPage {
  const { policy } = fromObject(kept.policy ?? {}).revalidatedPolicy(
    { url, method: 'GET', headers: sent },
    { status, headers },
  )
  return { ...kept, fetchedAt: Date.now(), policy: policy.toObject() }
}

/** True if HTTP lets the page be taken as it is, without asking. */
export function isFresh({ policy, source }: StoredPage): boolean {
  return policy !== undefined && !fromObject(policy).evaluateRequest(request(source)).revalidation
}

function conditionsOf({ policy, source }: StoredPage): Record<string, string> | undefined {
  if (!policy) return undefined
  const headers = fromObject(policy).revalidationHeaders(request(source))
  const conditions = Object.entries(headers).filter(([name]) =>
    ['if-none-match', 'if-modified-since'].includes(name),
  )
  return conditions.length > 0
    ? Object.fromEntries(conditions.map(([k, v]) => [k, String(v)]))
    : undefined
}

const fromObject = (policy: object): CachePolicy =>
  CachePolicy.fromObject(policy as CachePolicy.CachePolicyObject)

const request = (url: string) => ({ url, method: 'GET', headers: { accept: preferMarkdown } })
