import type { Location } from '#fetch/protocol/parse-location'

/** What is installed, or a repository, as a source of pages. */
export interface LibrarySource {
  kind: 'library'
  name: string
  id: string
  /** True for one library; false for all of a project, or a repository. */
  isOne: boolean
  list(maxPages: number): Promise<LibraryListing>
}

/** The pages of such a source. */
export interface LibraryListing {
  /** How they were found, as replies show it. */
  via: string
  entries: LibraryEntry[]
  /** True if the source has more pages than were listed. */
  more: boolean
}

export interface LibraryEntry {
  location: Location
  /** Changes when the page does. */
  stamp: string
  /** The file that has its text, if its location is not that. */
  file?: string
}
