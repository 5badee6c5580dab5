import { DocsError } from '../protocol/docs-error.ts'
import { isFresh } from './cache/freshness.ts'
import type { PageStore, StoredPage } from './cache/page-store.ts'
import type { ReadPage } from './read-page.ts'
import { PageResolver, type ResolverOptions } from './resolve-page.ts'

export interface WebPagesOptions extends ResolverOptions {
  offline: boolean
}

/** Reads pages of the web through the store of pages. */
export class WebPages {
  readonly #resolver: PageResolver
  readonly #store: PageStore
  readonly #offline: boolean

  constructor(options: WebPagesOptions) {
    this.#resolver = new PageResolver(options)
    this.#store = options.store
    this.#offline = options.offline
  }

  /** The stored page while it is fresh, or if it cannot be read again for a transient reason. */
  async read(url: string): Promise<ReadPage> {
    const cached = await this.#store.get(url).catch(() => undefined)
    if (cached && (this.#offline || isFresh(cached))) return this.#toReadPage(cached)
    try {
      const read = await this.#resolver.resolve(url, cached)
      // A page that must not be stored also removes its former copy.
      const isKept = read.page.sections.length > 0 && read.policy !== undefined
      if (isKept) await this.#store.put(read).catch(() => {})
      else if (cached) await this.#store.remove(url).catch(() => {})
      return this.#toReadPage(read)
    } catch (error) {
      if (!cached || !isTransientFailure(error)) throw error
      return this.#toReadPage(cached, error.message)
    }
  }

  async readHtml(url: string): Promise<ReadPage> {
    return this.#toReadPage(await this.#resolver.readHtml(url))
  }

  #toReadPage(stored: StoredPage, stale?: string): ReadPage {
    const { url, page, links, source, fetchedAt } = stored
    return {
      key: url,
      page,
      outgoing: links,
      // A page read as Markdown without its HTML has few links; they are in the HTML.
      links: async () =>
        (source !== 'alternate' && source !== 'variant') ||
        links.some(({ rel }) => rel !== 'other') ||
        this.#offline
          ? links
          : ((await this.#resolver.readHtml(url).catch(() => undefined))?.links ?? []),
      origin: {
        source,
        fetchedAt,
        ...(plainUrl(page.url) !== plainUrl(url) && { redirectedTo: page.url }),
        ...(stale !== undefined && { stale }),
      },
    }
  }
}

/** A URL without what redirects change most often: the scheme and the last slash. */
const plainUrl = (url: string): string => url.replace(/^http:/, 'https:').replace(/\/$/, '')

/** Not for a page that is gone or forbidden: an old copy would hide that. */
function isTransientFailure(error: unknown): error is DocsError {
  if (!(error instanceof DocsError)) return false
  if (error.code === 'timeout') return true
  const { status } = error
  return error.code === 'unreachable' && (status === undefined || status >= 500 || status === 429)
}
