export interface IndexedPage {
  /** As every call accepts it, without a fragment. */
  url: string
  title: string
  /** BCP 47 tag, if the page declares one. */
  language?: string
  /** Changes when the page does. */
  stamp: string
  headings: { id: string; title: string; level: number }[]
  sections: IndexedText[]
  /** Blocks next to the content that are in no section. */
  leftOut?: number
  /** Set for a page that was listed but not read yet: the texts are search terms to find it by. */
  isProposed?: true
}

export interface IndexedText {
  id: string
  title: string
  /** The title for ranking; empty for the continuation of a section. */
  heading: string
  /** Titles of the sections around it, outermost first. */
  path: string[]
  /** Its own text; of a proposed page its search terms, separated by spaces. */
  text: string
  /** Estimated tokens of the section with its subsections; 0 for a proposed page. */
  tokens: number
}

export interface Candidate extends IndexedText {
  url: string
  pageTitle: string
  isProposed?: true
  /** Identifies it in its index; parts of a long section differ. */
  row: number
  /** Number of sections of its page. */
  pageSections: number
  /** The terms of its text in order, separated by spaces. */
  terms: string
  /** The section has all words that occur in the index. */
  hasAll: boolean
}

export interface CandidateOptions {
  limit: number
  language?: string | undefined
}

export interface KnownPage {
  stamp: string
  /** Milliseconds since 1970. */
  readAt: number
  /** True if the page could not be read. */
  failed: boolean
  isProposed: boolean
}

/** A page that could not be read. */
export interface Failure {
  url: string
  problem: string
}

export interface IndexTotals {
  /** Pages that were read. */
  pages: number
  /** Pages that were listed but not read. */
  proposed: number
  sections: number
  /** Pages that could not be read. */
  failed: number
  /** Pages of which text next to the content is not indexed. */
  leftOut: number
  /** Language tags, each with its number of pages. */
  languages: ReadonlyMap<string, number>
}

/**
 * The sections of one source, found by terms of `termsOf`. Implementations must not lose what `put`
 * has returned for if the process ends; must support several processes if they store data outside
 * their own; must make `put` and `remove` atomic; and must return an empty result, not an error, if
 * nothing matches.
 */
export interface SearchIndex {
  /** Add or replace pages. A proposal does not replace a page that was read. */
  put(pages: readonly IndexedPage[]): Promise<void>
  /** Optimise for search after many pages were added. */
  tidy(): Promise<void>
  /** Record that a page could not be read, and why. */
  putFailed(url: string, stamp: string, problem: string): Promise<void>
  /** Up to `limit` pages that could not be read, the latest first. */
  failures(limit: number): Promise<Failure[]>
  remove(urls: readonly string[]): Promise<void>
  /** Every page in the index, by its URL, in the order in which they were put. */
  pages(): Promise<Map<string, KnownPage>>
  headings(url: string): Promise<IndexedPage['headings']>
  /** The own text of the section that a candidate is a part of, up to `maxPartsAround` parts. */
  sectionText(part: Candidate): Promise<string>
  /** Up to `limit` pages whose URL or title contains a text, ordered by URL. */
  pagesLike(text: string, limit: number): Promise<{ url: string; title: string }[]>
  totals(): Promise<IndexTotals>
  itemsWith(terms: readonly string[]): Promise<number[]>
  /**
   * Sections to rank, best first: those with the most words; rare words weigh more. A word is a list
   * of terms, of which a section has one. With `language`, only sections in it or one of its regions, and
   * unread pages whose language is unknown.
   */
  candidates(words: readonly (readonly string[])[], options: CandidateOptions): Promise<Candidate[]>
  /** Words of the texts within a small edit distance of a word, nearest first. */
  wordsLike(word: string): Promise<string[]>
  /** Up to `limit` terms that begin with a text, in order. */
  termsBeginning(text: string, limit: number): Promise<string[]>
  /** A small value that belongs to the index, such as its listing. */
  state(key: string): Promise<string | undefined>
  setState(key: string, value: string): Promise<void>
  /** Acquire or renew the right to update the index for a time; false if another holder has it. */
  lease(holder: string, milliseconds: number): Promise<boolean>
  release(holder: string): Promise<void>
  close(): void
}
