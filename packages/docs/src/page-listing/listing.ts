import type { Location } from '../common/parse-location.ts'
import type { IndexedPage } from '../search-index/search-index.ts'

/** A page of a source, and what changes when it does; empty if nothing says so. */
export interface ListedPage {
  location: Location
  stamp: string
}

/** What a source holds, by the first way that says so. */
export interface Listing {
  /** That way, as a reader is told: `Sphinx index`, `sitemap`, `files`. */
  rung: string
  /** Pages to be read. */
  entries: ListedPage[]
  /** Pages that came with the list, text or terms included. */
  pages?: Iterable<IndexedPage> | AsyncIterable<IndexedPage>
  /** Of `pages`, as far as it is known. */
  total?: number
  /** When all were taken: true if some could not be read for a reason that may pass. */
  isPartial?: () => boolean
  /** When all were taken: true if there were more than were to be read. */
  hasMore?: () => boolean
  /** Pages that robots.txt forbids. */
  forbidden?: () => number
  /** True if the source has more pages than were listed. */
  more: boolean
}
