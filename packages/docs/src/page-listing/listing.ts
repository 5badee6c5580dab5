import type { Location } from '#fetch/protocol/parse-location'
import { DocsError } from '#formats/docs-error'
import { formatNames } from '#formats/page-format'
import type { Proposal } from '../search-index/proposed-page.ts'
import type { IndexedPage } from '../search-index/search-index.ts'

/** A page of a source, and what its listing says about it. */
export interface ListedPage extends Proposal {
  location: Location
  /** Changes when the page does; empty if unknown. */
  stamp: string
  /** The file that has its text, if its location is not that. */
  file?: string
}

/** The stamp of a page that nothing lists and that was not read: a link to it was found. */
export const linkStamp = 'link'

/** The pages of a source. */
export interface Listing {
  /** How they were found, as replies show it: `Sphinx index`, `sitemap`, `files`. */
  via: string
  /** Pages to read. */
  entries: ListedPage[]
  /** Pages that came with the listing, in full. */
  pages?: IndexedPage[]
  /** Number of pages that robots.txt forbids. */
  forbidden?: number
  /** Documents of a folder that are not read, by extension: `5 .adoc, 4 .pdf`. */
  ignored?: string
  /** True if the source has more pages than were listed. */
  more: boolean
  /** URL prefix of pages to which links are followed. */
  follow?: string
  /** Pages that the first page links to. */
  links?: ListedPage[]
}

export function emptyListing({ ignored }: Pick<Listing, 'ignored'>): DocsError {
  return new DocsError(
    'not_found',
    ignored
      ? `The source has only files that are not read: ${ignored}.`
      : 'The source has no pages.',
    `Pass a folder with ${formatNames}, such as built documentation, or the URL of a page.`,
  )
}
