import type { Page } from '@pith-mcp/cleaner'
import { LRUCache } from 'lru-cache'
import { type DecodedText, decodeText } from '#fetch/decode-html'
import type { HttpClient, HttpResponse, RequestOptions } from '#fetch/http-client'
import { requestPage } from '#fetch/request-page'
import { DocsError } from '#formats/docs-error'
import type { Format } from '#formats/format'
import { isBinary, isNamedText, isTextType, notAPage, readReceived } from '#formats/page-format'
import { html, isHtmlText } from '#formats/readers/html'
import { markdown as markdownFormat } from '#formats/readers/markdown'
import { versionInAddress, versionInPage } from '#formats/stated-version'
import type { PageSource } from '../protocol/origin.ts'
import { conditionsOf, isFresh, policyOf, preferMarkdown, revalidated } from './cache/freshness.ts'
import type { PageStore, StoredPage } from './cache/page-store.ts'
import { checkSignIn } from './check-sign-in.ts'
import type { CleanPool } from './clean-pool.ts'
import { clientSidePage } from './client-side-page.ts'
import { createHostForms, HostForm } from './host-forms.ts'
import { isShell } from './is-shell.ts'
import { isVariantOf, keepsAll } from './is-variant-of.ts'
import type { ReadPage } from './read-page.ts'

const maxHosts = 500
/** Some servers send Markdown wherever it is named, whatever its weight. */
const onlyHtml = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1'
const onlyMarkdown = 'text/markdown, text/plain;q=0.5'

/** A response as text; `format` is undefined if it is not a page. */
interface PageText extends DecodedText {
  response: HttpResponse
  format: Format | undefined
}

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
  /** By host, the last charset other than UTF-8 that a page declared. */
  readonly #charsets = new LRUCache<string, string>({ max: maxHosts })

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
    const markdownAt = (target: string) => this.markdownAt(target, target, 'variant')
    const storedPage = await clientSidePage(url, markdownAt)
    return storedPage && this.#toReadPage(storedPage)
  }

  #toReadPage(storedPage: StoredPage, stale?: string): ReadPage {
    const { url, page, links, source, guessedCharset, fetchedAt } = storedPage
    const version = storedPage.version ?? versionInAddress(page.url)
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
        ...(version && { version }),
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
    const markdown = expected ? await this.markdownAt(expected, url, host.source) : undefined
    if (markdown && !host.mustCompare(markdown.page)) return markdown
    const response = await this.#request(url, markdown ? {} : acceptOf(host))
    return this.#read(url, response, markdown)
  }

  #request(url: string, options?: RequestOptions): Promise<HttpResponse> {
    return requestPage(this.#options.client, url, options)
  }

  async #storedHtml(url: string): Promise<StoredPage> {
    return this.#fromHtml(url, this.#textOf(await this.#request(url, { accept: onlyHtml })))
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
    const { links, source } = cached
    const pageText = this.#textOf(response)
    const page = await this.#markdownPage(pageText, cached.page.url)
    const { version } = cached
    const entry = page && { ...storedFrom(url, pageText), page, links, source }
    return entry && { ...entry, ...(version && { version }) }
  }

  /** `markdown` is that of the page that is to be compared with this response. */
  async #read(url: string, response: HttpResponse, markdown?: StoredPage): Promise<StoredPage> {
    const pageText = this.#textOf(response)
    const { text, format } = pageText
    if (!format || format === html)
      return this.#better(await this.#fromHtml(url, pageText), text, markdown)
    const page = await this.#options.cleaner.clean({ text, format, url: response.url })
    const entry = {
      ...storedFrom(url, pageText),
      source: 'negotiated' as const,
      page,
      links: format.links(text, response.url),
    }
    return isNamedText(new URL(response.url).pathname) ? entry : this.#negotiated(url, entry)
  }

  /** Markdown that keeps all of the HTML, or else the HTML. */
  async #better(asHtml: StoredPage, text: string, candidate?: StoredPage): Promise<StoredPage> {
    const host = await this.#formAt(asHtml.finalUrl)
    if (host.form === 'html') return asHtml
    let markdown = candidate
    const { url, finalUrl, links, version } = asHtml
    // Markdown that the page links to, or next to a page of a host that was not compared yet.
    const link = links.find(({ rel }) => rel === 'markdown')
    if (!markdown && link && new URL(link.url).host === new URL(finalUrl).host)
      markdown = await this.markdownAt(link.url, url, 'alternate', finalUrl)
    if (!markdown) {
      const candidates = host.form ? [] : host.candidates(finalUrl)
      const pages = await Promise.all(
        candidates.map((markdownUrl) => this.markdownAt(markdownUrl, url, 'variant', finalUrl)),
      )
      markdown = pages.find((variant) => variant && isVariantOf(variant.page, text))
    }
    if (!markdown || (markdown.source === 'variant' && !isVariantOf(markdown.page, text))) {
      host.miss()
      return asHtml
    }
    if (!keepsAll(markdown.page, asHtml.page)) {
      host.reject()
      return asHtml
    }
    host.accept(finalUrl, markdown)
    return { ...markdown, links, ...(version && { version }) }
  }

  /** Compares Markdown that the server sent on request with the HTML, if it has any. */
  async #negotiated(url: string, markdown: StoredPage): Promise<StoredPage> {
    const host = await this.#formAt(markdown.finalUrl)
    if (host.form === 'html' || !host.mustCompare(markdown.page)) return markdown
    const response = await this.#request(url).catch(() => undefined)
    const pageText = response && this.#textOf(response)
    if (pageText && isHtmlText(pageText.text))
      return this.#better(await this.#fromHtml(url, pageText), pageText.text, markdown)
    host.accept(url, markdown)
    return markdown
  }

  /** Markdown at a URL. It has only the links of the text; the others are in the HTML. */
  async markdownAt(
    markdown: string,
    url: string,
    source: PageSource,
    pageUrl: string = url,
  ): Promise<StoredPage | undefined> {
    const response = await this.#options.client
      .request(markdown, { accept: onlyMarkdown })
      .catch(() => undefined)
    if (!response || (source !== 'alternate' && response.url !== markdown)) return undefined
    const pageText = this.#textOf(response)
    const page = await this.#markdownPage(pageText, pageUrl)
    // Scripts that show Markdown read its address from the fragment.
    const text = pageText.text.replaceAll('](#/', '](/')
    const links = markdownFormat.links(text, pageUrl)
    return page && { ...storedFrom(url, pageText), page, links, source }
  }

  /** @throws {DocsError} for a response that is not a page. */
  async #fromHtml(url: string, pageText: PageText): Promise<StoredPage> {
    const { response, text, format } = pageText
    if (!format) throw notAPage(url, response.type)
    const page = await this.#options.cleaner.clean({ text, format: html, url: response.url })
    await checkSignIn(url, text, page, this.#options.client.loginRemedy)
    const links = html.links(text, response.url, page)
    const version = versionInPage(text)
    const entry = { ...storedFrom(url, pageText), page, links, source: 'html' as const }
    return { ...entry, ...(version && { version }) }
  }

  /** The page of a Markdown response, whatever its media type; undefined for anything else. */
  async #markdownPage(
    { response, text, format }: PageText,
    url: string,
  ): Promise<Page | undefined> {
    const isOther = format === html || isBinary(response.bytes, response.charset)
    if (isOther || text.trim() === '') return undefined
    const page = await this.#options.cleaner.clean({ text, format: markdownFormat, url })
    return page.sections.length > 0 ? page : undefined
  }

  #textOf(response: HttpResponse): PageText {
    const read = readReceived(response, () => this.#decode(response))
    return { charset: '', isGuessed: false, ...read, response }
  }

  #decode({ url, type, bytes, charset }: HttpResponse): DecodedText {
    const { host, pathname } = new URL(url)
    const hasNoHead = isNamedText(pathname) || isTextType(type)
    const stated = charset ?? (hasNoHead ? 'utf-8' : undefined)
    const decoded = decodeText(bytes, stated, this.#charsets.get(host))
    if (!decoded.isGuessed && decoded.charset !== 'utf-8') this.#charsets.set(host, decoded.charset)
    return decoded
  }
}

const acceptOf = ({ form }: HostForm) => (form === 'html' ? {} : { accept: preferMarkdown })

const storedFrom = (url: string, { response, charset, isGuessed }: PageText) => ({
  url,
  finalUrl: response.url,
  ...(isGuessed && { guessedCharset: charset }),
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
