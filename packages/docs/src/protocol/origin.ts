/**
 * How a page was read: as Markdown that the server sent on request (`negotiated`), that the page
 * links to (`alternate`) or that lies next to it (`variant`); as HTML; from a file; from a pack.
 */
export type PageSource = 'negotiated' | 'alternate' | 'variant' | 'html' | 'file' | 'pack'

/** Where an answer comes from. */
export interface Origin {
  source: PageSource
  /** The file name of the pack. */
  pack?: string
  /** The installed library and what of it was read: `zod 4.1.0, installed: README`. */
  library?: string
  /** Milliseconds since 1970 when a page of the web was fetched or last revalidated. */
  fetchedAt?: number
  /** The version of the documentation, as the page or its address states it. */
  version?: string
  /** The charset by which the page was decoded, if nothing declares it. */
  guessedCharset?: string
  /** Where the text stands if the page itself shows none: `noscript`, `its frames`. */
  textFrom?: string
  /** The share of the text of the body that was kept, if it is below 0.4. */
  kept?: number
  /** Labels next to the text that no rule names. */
  leftOut?: { blocks: number; characters: number }
  /** What of the page is not read, such as `3 images` of a notebook. */
  unread?: string[]
  /** The URL that the page was read from, if redirects led elsewhere. */
  redirectedTo?: string
  /** Why an older copy was returned: the error of the current read. */
  stale?: string
}
