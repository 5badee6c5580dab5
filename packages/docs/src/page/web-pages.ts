import type { Page } from '@pith-mcp/cleaner'
import type { DecodedText } from '../fetch/decode-html.ts'
import type { HttpClient, HttpResponse, RequestOptions } from '../fetch/http-client.ts'
import { requestPage } from '../fetch/request-page.ts'
import { DocsError } from '../protocol/docs-error.ts'
import type { PageSource } from '../protocol/origin.ts'
import {
  formatOf,
  isBinary,
  isHtmlText,
  isNamedText,
  notAPage,
  type PageFormat,
} from '../protocol/page-format.ts'
import { markdownLinks, type PageLink, readPageLinks } from '../protocol/page-links.ts'
import { conditionsOf, isFresh, policyOf, preferMarkdown, revalidated } from './cache/freshness.ts'
import type { PageStore, StoredPage } from './cache/page-store.ts'
import { checkSignIn } from './check-sign-in.ts'
import type { CleanPool } from './clean-pool.ts'
import { clientSidePage } from './client-side-page.ts'
import { createHostForms, HostForm } from './host-forms.ts'
import { isShell } from './is-shell.ts'
import { isVariantOf, keepsAll } from './is-variant-of.ts'
import { linksOf } from './links-of.ts'
import { createPageDecoder } from './page-decoder.ts'
import type { ReadPage } from './read-page.ts'

const onlyMarkdown = 'text/markdown, text/plain;q=0.5'

export interface WebPagesOptions {
  client: HttpClient
  cleaner: CleanPool
  store: PageStore
  /** True for pages whose Markdown differs from their HTML. */
  readsHtml: (url: string) => boolean
  offline: boolean
}

/**
 * Reads pages of the web through the store of pages, as Markdown where a host has it: sent on
 * request, linked by the page, or next to it. On the first pages of a host it is compared with the
 * HTML; afterwards each page is read in the form that was chosen. Pages for which `readsHtml` is
 * true are read as HTML.
 */
export class WebPages {
  readonly #options: WebPagesOptions
  readonly #formAt: (url: string) => Promise<HostForm>
  readonly #decode = createPageDecoder()

  constructor(options: WebPagesOptions) {
    this.#options = options
    const formOf = createHostForms(options.store)
    const asHtml = new HostForm({ form: 'html', source: 'html', at: 'Infinity' }, () => {})
    this.#formAt = async (url) => (options.readsHtml(url) ? asHtml : formOf(url))
  }

  /** The stored page while it is fresh, or if it cannot be read again for a transient reason. */
  async read(url: string): Promise<ReadPage> {
    const { store, offline } = this.#options
    const cached = await store.get(url).catch(() => undefined)
    if (cached && (offline || isFresh(cached))) return this.#toReadPage(cached)
    try {
      const read = await this.#resolve(url, cached)
      // A page that must not be stored also removes its former copy.
      const isKept = !isShell(read.page) && read.policy !== undefined
      if (isKept) await store.put(read).catch(() => {})
      else if (cached) await store.remove(url).catch(() => {})
      return this.#toReadPage(read)
    } catch (error) {
      if (!cached || !isTransientFailure(error)) throw error
      return this.#toReadPage(cached, error.message)
    }
  }

  async readHtml(url: string): Promise<ReadPage> {
    return this.#toReadPage(await this.#storedHtml(url))
  }

  /** The page for one whose scripts show Markdown; undefined for any other. */
  async readClientSide(url: string): Promise<ReadPage | undefined> {
    const markdownAt = (target: string) => this.#markdownAt(target, target, 'variant')
    const stored = await clientSidePage(url, markdownAt)
    return stored && this.#toReadPage(stored)
  }

  #toReadPage(stored: StoredPage, stale?: string): ReadPage {
    const { url, page, links, source, guessedCharset, fetchedAt } = stored
    return {
      key: url,
      page,
      outgoing: links,
      // A page read as Markdown without its HTML has few links; they are in the HTML.
      links: async () =>
        (source !== 'alternate' && source !== 'variant') ||
        links.some(({ rel }) => rel !== 'other') ||
        this.#options.offline
          ? links
          : ((await this.#storedHtml(url).catch(() => undefined))?.links ?? []),
      origin: {
        source,
        fetchedAt,
        ...(guessedCharset && { guessedCharset }),
        ...(plainUrl(page.url) !== plainUrl(url) && { redirectedTo: page.url }),
        ...(stale !== undefined && { stale }),
      },
    }
  }

  /** Read a page in the form of its host. A cached page is revalidated. */
  async #resolve(url: string, cached: StoredPage | undefined): Promise<StoredPage> {
    const host = await this.#formAt(url)
    if (cached && (host.form !== 'html' || cached.source === 'html')) {
      const unchanged = await this.#askForChanges(url, cached, host)
      if (unchanged) return unchanged
    }
    const expected = host.form === undefined ? undefined : host.candidates(url)[0]
    const found = expected ? await this.#markdownAt(expected, url, host.source) : undefined
    if (found && !host.mustCompare(found.page)) return found
    const response = await this.#request(url, found ? {} : acceptOf(host))
    return this.#read(url, response, found)
  }

  #request(url: string, options?: RequestOptions): Promise<HttpResponse> {
    return requestPage(this.#options.client, url, options)
  }

  async #storedHtml(url: string): Promise<StoredPage> {
    const response = await this.#request(url)
    return this.#fromHtml(url, response, this.#decode(response))
  }

  /** The cached page with a new date, if the server confirms it (304). */
  async #askForChanges(
    url: string,
    cached: StoredPage,
    host: HostForm,
  ): Promise<StoredPage | undefined> {
    const headers = conditionsOf(cached)
    if (!headers) return undefined
    const isVariant = cached.source === 'alternate' || cached.source === 'variant'
    const target = isVariant ? cached.finalUrl : url
    const response = await this.#request(target, {
      ...acceptOf(host),
      conditions: { url: cached.finalUrl, headers },
    })
    if (response.status === 304) return revalidated(cached, response)
    if (!isVariant) return this.#read(url, response)
    const page = await this.#markdownPage(response, cached.page.url)
    return (
      page && {
        ...storedFrom(url, response, this.#decode(response)),
        page,
        links: cached.links,
        source: cached.source,
      }
    )
  }

  /** `found` is Markdown of the page that is to be compared with this response. */
  async #read(url: string, response: HttpResponse, found?: StoredPage): Promise<StoredPage> {
    const decoded = this.#decode(response)
    const { text } = decoded
    if (formatOfResponse(url, response, text) === 'html') {
      const html = await this.#fromHtml(url, response, decoded)
      return this.#better(html, readPageLinks(text, response.url), text, found)
    }
    const cleaning = { text, format: 'markdown' as const, url: response.url }
    const page = await this.#options.cleaner.clean(cleaning)
    const stored = {
      ...storedFrom(url, response, decoded),
      source: 'negotiated' as const,
      page,
      links: markdownLinks(text, response.url),
    }
    return isNamedText(new URL(response.url).pathname) ? stored : this.#negotiated(url, stored)
  }

  /** Markdown that keeps all of the HTML, or else the HTML. */
  async #better(
    html: StoredPage,
    links: PageLink[],
    text: string,
    found?: StoredPage,
  ): Promise<StoredPage> {
    const host = await this.#formAt(html.finalUrl)
    if (host.form === 'html') return html
    let markdown = found
    const { url, finalUrl } = html
    // Markdown that the page links to, or next to a page of a host that was not compared yet.
    const link = links.find(({ rel }) => rel === 'markdown')
    if (!markdown && link && new URL(link.url).host === new URL(finalUrl).host)
      markdown = await this.#markdownAt(link.url, url, 'alternate', finalUrl)
    if (!markdown) {
      const candidates = host.form ? [] : host.candidates(finalUrl)
      const pages = await Promise.all(
        candidates.map((one) => this.#markdownAt(one, url, 'variant', finalUrl)),
      )
      markdown = pages.find((one) => one && isVariantOf(one.page, text))
    }
    if (!markdown || (markdown.source === 'variant' && !isVariantOf(markdown.page, text))) {
      host.miss()
      return html
    }
    if (!keepsAll(markdown.page, html.page)) {
      host.reject()
      return html
    }
    host.accept(html.finalUrl, markdown)
    return { ...markdown, links: html.links }
  }

  /** Compares Markdown that the server sent on request with the HTML, if it has any. */
  async #negotiated(url: string, markdown: StoredPage): Promise<StoredPage> {
    const host = await this.#formAt(markdown.finalUrl)
    if (host.form === 'html' || !host.mustCompare(markdown.page)) return markdown
    const response = await this.#request(url).catch(() => undefined)
    const decoded = response && this.#decode(response)
    if (response && decoded && isHtmlText(decoded.text))
      return this.#better(await this.#fromHtml(url, response, decoded), [], decoded.text, markdown)
    host.accept(url, markdown)
    return markdown
  }

  /** Markdown at a URL. It has only the links of the text; the others are in the HTML. */
  async #markdownAt(
    markdown: string,
    url: string,
    source: PageSource,
    pageUrl: string = url,
  ): Promise<StoredPage | undefined> {
    const response = await this.#options.client
      .request(markdown, { accept: onlyMarkdown })
      .catch(() => undefined)
    const isThere = response && (source === 'alternate' || response.url === markdown)
    const page = isThere ? await this.#markdownPage(response, pageUrl) : undefined
    if (!response || !page) return undefined
    const decoded = this.#decode(response)
    // Scripts that show Markdown read its address from the fragment.
    const text = decoded.text.replaceAll('](#/', '](/')
    const links = markdownLinks(text, pageUrl)
    return { ...storedFrom(url, response, decoded), page, links, source }
  }

  async #fromHtml(url: string, response: HttpResponse, decoded: DecodedText): Promise<StoredPage> {
    const { text } = decoded
    formatOfResponse(url, response, text)
    const page = await this.#options.cleaner.clean({ text, format: 'html', url: response.url })
    checkSignIn(url, text, page)
    const links = linksOf(text, response.url, page)
    return { ...storedFrom(url, response, decoded), page, links, source: 'html' }
  }

  /** The page of a Markdown response, whatever its media type; undefined for anything else. */
  async #markdownPage(response: HttpResponse, url: string): Promise<Page | undefined> {
    const { type, bytes, charset } = response
    if (isBinary(bytes, charset)) return undefined
    const { text } = this.#decode(response)
    const isHtml = formatOf(type, new URL(response.url).pathname, text) === 'html'
    if (isHtml || text.trim() === '') return undefined
    const page = await this.#options.cleaner.clean({ text, format: 'markdown', url })
    return page.sections.length > 0 ? page : undefined
  }
}

/** @throws {DocsError} for a response that is not a page. */
function formatOfResponse(url: string, response: HttpResponse, text: string): PageFormat {
  const { type, bytes, charset } = response
  const format = formatOf(type, new URL(response.url).pathname, text)
  if (!format || isBinary(bytes, charset)) throw notAPage(url, type)
  return format
}

const acceptOf = ({ form }: HostForm) => (form === 'html' ? {} : { accept: preferMarkdown })

const storedFrom = (url: string, response: HttpResponse, decoded: DecodedText) => ({
  url,
  finalUrl: response.url,
  ...(decoded.isGuessed && { guessedCharset: decoded.charset }),
  fetchedAt: Date.now(),
  ...policyOf(response),
})

/** A URL without what redirects change most often: the scheme and the last slash. */
const plainUrl = (url: string): string => url.replace(/^http:/, 'https:').replace(/\/$/, '')

/** Not for a page that is gone or forbidden: an old copy would hide that. */
function isTransientFailure(error: unknown): error is DocsError {
  if (!(error instanceof DocsError)) return false
  if (error.code === 'timeout') return true
  const { status } = error
  return error.code === 'unreachable' && (status === undefined || status >= 500 || status === 429)
}
