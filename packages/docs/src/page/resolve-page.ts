import type { Page } from '@pith-mcp/cleaner'
import { decodeHtml } from '../fetch/decode-html.ts'
import type { HttpClient, HttpResponse } from '../fetch/http-client.ts'
import { DocsError } from '../protocol/docs-error.ts'
import { formatOf, isBinary, isHtmlText } from '../protocol/page-format.ts'
import { markdownLinks, type PageLink, readPageLinks } from '../protocol/page-links.ts'
import { quoteValue } from '../protocol/quote-value.ts'
import { conditionsOf, policyOf, preferMarkdown, revalidated } from './cache/freshness.ts'
import type { StoredPage } from './cache/page-store.ts'
import type { CleanPool } from './clean-pool.ts'
import { isVariantOf } from './is-variant-of.ts'
import { linksOf } from './links-of.ts'
import { createMarkdownRules } from './markdown-rules.ts'
import { createVariantMemory } from './variant-memory.ts'

const onlyMarkdown = 'text/markdown, text/plain;q=0.5'

/**
 * Tries, in this order: `Accept: text/markdown`, the Markdown that the page links to, its Markdown
 * variant, its HTML. If the pages of a site link to their Markdown by one rule, that URL is
 * requested first. Pages for which `readsHtml` is true are read as HTML.
 */
export class PageResolver {
  readonly #client: HttpClient
  readonly #cleaner: CleanPool
  readonly #readsHtml: (url: string) => boolean
  readonly #variants = createVariantMemory()
  readonly #rules = createMarkdownRules()

  constructor(client: HttpClient, cleaner: CleanPool, readsHtml: (url: string) => boolean) {
    this.#client = client
    this.#cleaner = cleaner
    this.#readsHtml = readsHtml
  }

  /** Read a page the first way that succeeds. A cached page is revalidated. */
  async resolve(url: string, cached?: StoredPage): Promise<StoredPage> {
    const isHtmlOnly = this.#readsHtml(url)
    if (cached && (!isHtmlOnly || cached.source === 'html')) {
      const unchanged = await this.#askForChanges(url, cached)
      if (unchanged) return unchanged
    }
    const expected = isHtmlOnly ? undefined : await this.#fromExpected(url)
    if (expected) return expected
    const accept = isHtmlOnly ? {} : { accept: preferMarkdown }
    return this.#read(url, await this.#client.get(url, accept), 1)
  }

  async readHtml(url: string): Promise<StoredPage> {
    const response = await this.#client.get(url)
    return this.#fromHtml(url, response, textOf(url, response))
  }

  /** The cached page with a new date, if the server confirms it (304). */
  async #askForChanges(url: string, cached: StoredPage): Promise<StoredPage | undefined> {
    const headers = conditionsOf(cached)
    if (!headers) return undefined
    const isVariant = cached.source === 'alternate' || cached.source === 'variant'
    const target = isVariant ? cached.finalUrl : url
    const response = await this.#client.get(target, {
      ...(!this.#readsHtml(url) && { accept: preferMarkdown }),
      conditions: { url: cached.finalUrl, headers },
    })
    if (response.status === 304) return revalidated(cached, response)
    if (!isVariant) return this.#read(url, response, 1)
    const page = await this.#markdownPage(response, cached.page.url)
    return (
      page && { ...storedFrom(url, response), page, links: cached.links, source: cached.source }
    )
  }

  async #read(url: string, response: HttpResponse, jumps: number): Promise<StoredPage> {
    const text = textOf(url, response)
    const format = formatOf(response.type, new URL(response.url).pathname)
    if (format === 'markdown' && !isHtmlText(text)) {
      const page = await this.#cleaner.clean({ text, format: 'markdown', url: response.url })
      const links = markdownLinks(text, response.url)
      return { ...storedFrom(url, response), page, links, source: 'negotiated' }
    }
    const links = readPageLinks(text, response.url)
    const siblings = this.#readsHtml(response.url)
      ? undefined
      : ((await this.#fromAlternate(url, response, links)) ??
        (await this.#fromVariant(url, response, links, text)))
    const stored = siblings ?? (await this.#fromHtml(url, response, text))
    const onward = links.find(({ rel }) => rel === 'refresh')
    if (stored.page.sections.length > 0 || !onward || jumps <= 0 || onward.url === url)
      return stored
    const target = await this.#client.get(onward.url, { accept: preferMarkdown })
    return { ...(await this.#read(onward.url, target, jumps - 1)), url }
  }

  /** Has only the links of the text; the others are in the HTML. */
  async #fromExpected(url: string): Promise<StoredPage | undefined> {
    const markdown = this.#rules.expected(url)
    if (markdown === undefined) return undefined
    const response = await this.#client
      .get(markdown, { accept: onlyMarkdown })
      .catch(() => undefined)
    const page = response?.url === markdown ? await this.#markdownPage(response, url) : undefined
    if (!response || !page) return undefined
    const links = markdownLinks(decodeHtml(response.bytes, response.charset ?? 'utf-8'), url)
    return { ...storedFrom(url, response), page, links, source: 'alternate' }
  }

  async #fromAlternate(url: string, html: HttpResponse, links: PageLink[]) {
    const [link] = links.filter(({ rel }) => rel === 'markdown')
    this.#rules.note(html.url, link?.url)
    if (!link || new URL(link.url).host !== new URL(html.url).host) return undefined
    const response = await this.#client
      .get(link.url, { accept: onlyMarkdown })
      .catch(() => undefined)
    const page = response && (await this.#markdownPage(response, html.url))
    if (!response || !page) return undefined
    return { ...storedFrom(url, response), page, links, source: 'alternate' as const }
  }

  async #fromVariant(url: string, html: HttpResponse, links: PageLink[], text: string) {
    const spelling = this.#variants.spellings(html.url)
    const responses = await Promise.all(
      spelling.map((variant) =>
        this.#client.get(variant, { accept: onlyMarkdown }).catch(() => undefined),
      ),
    )
    for (const [at, response] of responses.entries()) {
      const page = response && (await this.#markdownPage(response, html.url))
      if (!response || response.url !== spelling[at] || !page || !isVariantOf(page, text)) continue
      this.#variants.note(html.url, spelling[at])
      return { ...storedFrom(url, response), page, links, source: 'variant' as const }
    }
    if (spelling.length > 0) this.#variants.note(html.url, undefined)
    return undefined
  }

  async #fromHtml(url: string, response: HttpResponse, text: string): Promise<StoredPage> {
    const page = await this.#cleaner.clean({ text, format: 'html', url: response.url })
    const links = linksOf(text, response.url, page)
    return { ...storedFrom(url, response), page, links, source: 'html' }
  }

  /** The page of a Markdown response, whatever its media type; undefined for anything else. */
  async #markdownPage(response: HttpResponse, url: string): Promise<Page | undefined> {
    const { type, bytes, charset } = response
    if (isBinary(bytes, charset) || type === 'text/html' || type === 'application/xhtml+xml')
      return undefined
    const text = decodeHtml(bytes, charset ?? 'utf-8')
    if (isHtmlText(text) || text.trim() === '') return undefined
    const page = await this.#cleaner.clean({ text, format: 'markdown', url })
    return page.sections.length > 0 ? page : undefined
  }
}

function textOf(url: string, { type, bytes, charset, url: found }: HttpResponse): string {
  if (!formatOf(type, new URL(found).pathname) || isBinary(bytes, charset))
    throw new DocsError(
      'unsupported_type',
      `${quoteValue(url)} is ${type === '' ? '' : `of type ${quoteValue(type)}, `}not an HTML or Markdown page.`,
      'Pass an HTML or Markdown page.',
    )
  return decodeHtml(bytes, charset)
}

const storedFrom = (url: string, response: HttpResponse) => ({
  url,
  finalUrl: response.url,
  fetchedAt: Date.now(),
  ...policyOf(response),
})
