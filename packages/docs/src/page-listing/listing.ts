import type { Location } from '../protocol/parse-location.ts'
import type { IndexedPage } from '../search-index/search-index.ts'

/** A page of a source, and a stamp that changes when the page does; empty if unknown. */
export interface ListedPage {
  location: Location
  stamp: string
}

/** The pages of a source. */
export interface Listing {
  /** How they were found, as replies show it: `Sphinx index`, `sitemap`, `files`. */
  via: string
  /** Pages to read. */
  entries: ListedPage[]
  /** Pages that came with the listing, with their text or terms. */
  pages?: Iterable<IndexedPage> | AsyncIterable<IndexedPage>
  /** Number of `pages`, if it is known. */
  total?: number
  /** Valid after all pages were taken: true if some could not be read for a transient reason. */
  isPartial?: () => boolean
  /** Valid after all pages were taken: true if there were more than `maxPages`. */
  hasMore?: () => boolean
  /** Number of pages that robots.txt forbids. */
  forbidden?: () => number
  /** True if the source has more pages than were listed. */
  more: boolean
}
