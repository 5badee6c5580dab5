import type { Location } from '../protocol/parse-location.ts'
import type { Proposal } from '../search-index/proposed-page.ts'
import type { IndexedPage } from '../search-index/search-index.ts'

/** A page of a source, and what its listing says about it. */
export interface ListedPage extends Proposal {
  location: Location
  /** Changes when the page does; empty if unknown. */
  stamp: string
}

/** The pages of a source. */
export interface Listing {
  /** How they were found, as replies show it: `Sphinx index`, `sitemap`, `files`. */
  via: string
  /** Pages to read. */
  entries: ListedPage[]
  /** Pages that came with the listing, in full. */
  pages?: IndexedPage[]
  /** True if a part of the listing could not be read for a transient reason. */
  isPartial?: boolean
  /** Number of pages that robots.txt forbids. */
  forbidden?: number
  /** True if the source has more pages than were listed. */
  more: boolean
  /** URL prefix of the pages to follow, for a source whose pages are found by their links. */
  follow?: string
}
