/**
 * How a page was had: Markdown that the server sent when asked for it (`negotiated`), that the page
 * names (`alternate`) or that lies beside it (`twin`); its HTML; a file; a pack.
 */
export type Rung = 'negotiated' | 'alternate' | 'twin' | 'html' | 'file' | 'pack'

/** Where an answer comes from. */
export interface Origin {
  rung: Rung
  /** Milliseconds since 1970: when a page of the web came, or was found unchanged. */
  fetchedAt?: number
  /** Why an older copy was given: the page could not be read now. */
  stale?: string
}
