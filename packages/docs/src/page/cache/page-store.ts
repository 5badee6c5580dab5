import type { Page } from '@pith-mcp/cleaner'
import type { PageLink } from '../../common/page-links.ts'
import type { Rung } from '../../common/rung.ts'

/** A page as it was read from the web. */
export interface StoredPage {
  /** As asked for, without a fragment. */
  url: string
  /** What was read in the end: after redirects, or the Markdown beside the page. */
  source: string
  page: Page
  links: PageLink[]
  rung: Rung
  /** Milliseconds since 1970: when it came, or when it was last found unchanged. */
  fetchedAt: number
  /** What HTTP says about keeping it: the serialised policy of http-cache-semantics. */
  policy?: object
}

/** What a reader has seen of a page: a hash of each section's own text, by id. */
export type SeenSections = Record<string, string>

/**
 * Pages that outlive the process. Implementations must give back what was put or nothing, may drop
 * the pages that were not asked for longest, and must not throw for a page they do not have.
 */
export interface PageStore {
  get(url: string): Promise<StoredPage | undefined>
  put(page: StoredPage): Promise<void>
  remove(url: string): Promise<void>
  seen(url: string): Promise<SeenSections | undefined>
  setSeen(url: string, sections: SeenSections): Promise<void>
  close(): void
}
