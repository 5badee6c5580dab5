import type { Page } from '@pith-mcp/cleaner'
import type { PageLink } from '#formats/format'
import type { PageSource } from '../../protocol/origin.ts'

/** A page of the web in the cache. */
export interface StoredPage {
  /** The requested URL, without a fragment. */
  url: string
  /** The URL that was read in the end: after redirects, or that of the Markdown variant. */
  finalUrl: string
  page: Page
  links: PageLink[]
  source: PageSource
  /** The version of the documentation that the head of the page states. */
  version?: string
  /** The charset by which it was decoded, if nothing declares it. */
  guessedCharset?: string
  /** Milliseconds since 1970 when the page was fetched or last revalidated. */
  fetchedAt: number
  /** Serialised caching policy of http-cache-semantics. */
  policy?: object
}

/** A small record under a key, such as the hashes of the sections that a client has read. */
export type Note = Record<string, string>

/**
 * Persistent page cache. Implementations must return what was put or nothing, may evict the least
 * recently used pages, and must not throw for a page they do not have.
 */
export interface PageStore {
  get(url: string): Promise<StoredPage | undefined>
  put(page: StoredPage): Promise<void>
  remove(url: string): Promise<void>
  note(key: string): Promise<Note | undefined>
  setNote(key: string, note: Note): Promise<void>
  close(): void
}
