import type { IndexedPage } from '../search-index/search-index.ts'

/** How one generator keeps the index that its search box reads. */
export interface StaticIndexReader {
  /** As a reader is told. */
  generator: string
  /** Whether a page of the site looks like this generator's. */
  isOf: (html: string) => boolean
  /** The pages of the index; undefined if it is not there, or of a kind that cannot be read. */
  read: (site: Site) => Promise<IndexedPage[] | undefined>
}

export interface Site {
  /** A page of the site, and its HTML. */
  url: string
  html: string
  /** Folders that may be the root of the documentation: the page's own and those above it. */
  roots: string[]
  mostPages: number
  /** A text file of the site; undefined if it is not there. */
  text: (url: string) => Promise<string | undefined>
  bytes: (url: string) => Promise<Uint8Array | undefined>
}
