/** A page as it is searched. */
export interface IndexedPage {
  /** As every call accepts it, without a fragment. */
  url: string
  title: string
  /** BCP 47 tag, where the page states one. */
  language?: string
  /** Changes when the page does. */
  stamp: string
  headings: { id: string; title: string; level: number }[]
  sections: IndexedText[]
}

/** One section of a page. */
export interface IndexedText {
  id: string
  title: string
  /** The title where it counts: not again in what continues the section. */
  heading: string
  /** Titles of the sections around it, outermost first. */
  path: string[]
  /** What it says itself; or, with `isTerms`, the words by which it is found. */
  text: string
  /** The text is no text: the words come from an index of the site. */
  isTerms?: true
}

export interface IndexedSection extends IndexedText {
  url: string
  pageTitle: string
}

export interface Candidate extends IndexedSection {
  /** It has all of the terms that were asked for, as far as any section has them. */
  hasAll: boolean
}

export interface CandidateOptions {
  limit: number
  language?: string
  /** No sections that have only some of the terms. */
  onlyAll?: boolean
}

export interface KnownPage {
  stamp: string
  /** Milliseconds since 1970. */
  readAt: number
  /** It could not be read. */
  failed: boolean
}

export interface IndexTotals {
  pages: number
  sections: number
  failed: number
  /** Language tags of its pages, each with the number of pages. */
  languages: ReadonlyMap<string, number>
}

/**
 * Sections of one source, found by terms. Implementations must survive the end of the process at any
 * time without losing what `put` has returned for, must accept several processes at once where they
 * keep their data outside of their own, and must keep `put` and `remove` all or nothing. Terms are
 * those of `termsOf`. What has no match is an empty answer, never an error.
 */
export interface SearchIndex {
  /** Enter pages, or enter them again. */
  put(pages: readonly IndexedPage[]): Promise<void>
  /** Make it fast to search, after many pages were entered. */
  tidy(): Promise<void>
  /** Remember that a page could not be read. */
  putFailed(url: string, stamp: string): Promise<void>
  remove(urls: readonly string[]): Promise<void>
  /** Every page entered, by its URL. */
  pages(): Promise<Map<string, KnownPage>>
  headings(url: string): Promise<IndexedPage['headings']>
  /** Up to `limit` pages whose URL or title contains a text, in order of their URLs. */
  pagesLike(text: string, limit: number): Promise<{ url: string; title: string }[]>
  totals(): Promise<IndexTotals>
  /** For each term, how many sections have it. */
  itemsWith(terms: readonly string[]): Promise<number[]>
  /**
   * Sections worth ranking: those that have all of the terms before those that have some, rare terms
   * counting more. In a language, or one of its regions, if one is given.
   */
  candidates(terms: readonly string[], options: CandidateOptions): Promise<Candidate[]>
  /** Words of the texts that differ from a word by a slip of the hand, the nearest first. */
  wordsLike(word: string): Promise<string[]>
  /** A small value that belongs to the index, such as how it was made. */
  state(key: string): Promise<string | undefined>
  setState(key: string, value: string): Promise<void>
  /** Become the one who updates, for a time; false if another is. The holder may renew. */
  lease(holder: string, milliseconds: number): Promise<boolean>
  release(holder: string): Promise<void>
  close(): void
}
