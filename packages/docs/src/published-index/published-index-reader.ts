import type { IndexedPage } from '../search-index/search-index.ts'

/** Reads the search index of one generator. */
export interface PublishedIndexReader {
  /** Name of the generator, as replies show it. */
  generator: string
  /** True if a page of the site is of this generator. */
  isOf: (html: string) => boolean
  /** The pages of the index; undefined if it is missing or of an unsupported kind. */
  read: (site: Site) => Promise<IndexedPage[] | undefined>
}

export interface Site {
  /** A page of the site, and its HTML. */
  url: string
  html: string
  /** Folders that may be the root of the documentation: that of the page and its parents. */
  roots: string[]
  maxPages: number
  /** A text file of the site; undefined if it is missing. */
  text: (url: string) => Promise<string | undefined>
  bytes: (url: string) => Promise<Uint8Array | undefined>
}
