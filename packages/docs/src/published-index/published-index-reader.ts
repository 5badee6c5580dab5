import type { Proposal } from '../search-index/proposed-page.ts'

/** Reads the search index of one generator. */
export interface PublishedIndexReader {
  /** Name of the generator, as replies show it. */
  generator: string
  /** True if a page of the site is of this generator. */
  isOf: (html: string) => boolean
  /** True if the index lacks pages of the site to which this page links. */
  isPart?: (html: string) => boolean
  /** The pages of the index; undefined if it is missing or of an unsupported kind. */
  read: (site: Site) => Promise<PublishedPage[] | undefined>
}

/** What an index says about a page. */
export interface PublishedPage extends Proposal {
  url: string
}

export interface Site {
  /** A page of the site, and its HTML. */
  url: string
  html: string
  /** Folders that may be the root of the documentation: that of the page and its parents. */
  roots: string[]
  /** A text file of the site; undefined if it is missing. */
  text: (url: string) => Promise<string | undefined>
  /** The HTML of another page. */
  page: (url: string) => Promise<string | undefined>
  bytes: (url: string) => Promise<Uint8Array | undefined>
}
