import type { DocsSource } from '../page-listing/docs-source.ts'
import type { Listing } from '../page-listing/listing.ts'
import type { CallOptions, IndexProgress } from '../protocol/call-options.ts'
import type { Sites } from '../site-search/open-sites.ts'
import type { PageIndexing } from './page-queue.ts'

/** State of the index of a source. */
export interface IndexStatus extends Pick<Listing, 'ignored'> {
  /**
   * How the pages were found: `Sphinx index`, `sitemap`, `files`; empty before the first attempt.
   */
  via: string
  /** False while pages are being read, or are left to be read. */
  isComplete: boolean
  progress: IndexProgress
  /** True if the source has more pages than are read in the background. */
  more: boolean
  /** Pages that robots.txt forbids; they are not indexed. */
  forbidden: number
  /** Why listing the source failed. Pages indexed earlier are still searched. */
  problem?: Error
}

export interface RefreshOptions extends CallOptions {
  /** Milliseconds to wait for pages that are being read; Infinity waits for all. */
  waitMs?: number
  /** Ignore the cached listing: list the pages again and wait until all are read. */
  fresh?: boolean
}

export interface SourceIndexOptions extends PageIndexing {
  source: DocsSource
  sites: Sites
  /** At most this many pages are read in the background. */
  maxPages: number
  offline: boolean
  /** Identifies this process among others that may update the same index. */
  holder: string
}
