import type { Sites } from '#sites/site-search/open-sites'
import type { DocsSource } from '../page-listing/docs-source.ts'
import type { Listing } from '../page-listing/listing.ts'
import type { CallOptions, IndexProgress } from '../protocol/call-options.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
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
  /** Of a folder that is not indexed yet, the files with words of this query are read first. */
  query?: string
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

/** What an index keeps of its listing. */
export interface StoredListing extends Pick<Listing, 'via' | 'more' | 'follow' | 'ignored'> {
  forbidden: number
  listedAt: number
}

export const storedFrom = (
  { via, more, follow, ignored }: Listing,
  forbidden: number,
): StoredListing => ({
  ...{ via, more, forbidden, listedAt: Date.now() },
  ...(follow && { follow }),
  ...(ignored && { ignored }),
})

export async function storedListing(index: SearchIndex): Promise<StoredListing | undefined> {
  const text = await index.state('listing')
  return text === undefined ? undefined : (JSON.parse(text) as StoredListing)
}

export const storeListing = (index: SearchIndex, listing: StoredListing): Promise<void> =>
  index.setState('listing', JSON.stringify(listing))

/** Remove the pages that a listing lacks. */
export async function removeOthers(index: SearchIndex, urls: ReadonlySet<string>): Promise<void> {
  const removed = [...(await index.pages()).keys()].filter((url) => !urls.has(url))
  if (removed.length > 0) await index.remove(removed)
}

/** In the bounds of a timer. */
export const toTimerMs = (wait: number): number =>
  Math.min(Math.max(0, Math.ceil(wait)), 2 ** 31 - 1)
