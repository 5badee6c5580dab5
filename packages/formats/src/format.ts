import type { CleanOptions, Page } from '@pith-mcp/cleaner'

/** A link and the relation of its target to the page. */
export interface PageLink {
  /**
   * `markdown`: the page as Markdown; `frame`: a document in the page; `text`: a link in the text;
   * `other`: a link elsewhere, such as in a menu or on a picture.
   */
  rel: 'next' | 'previous' | 'up' | 'language' | 'markdown' | 'frame' | 'text' | 'other'
  url: string
  title: string
  /** For `language`. */
  language?: string
  /** For `text`: the section that contains the link. */
  section?: string
  /** For `text`: a term such as “See also” precedes it. */
  seeAlso?: boolean
}

/** A format of pages. */
export interface Format {
  /** Before “page” in messages. */
  name: string
  /** Media types of this format only. */
  types?: RegExp
  /** File names. */
  names: RegExp
  /** Start of a text about which neither its type nor its name tells anything. */
  start?: RegExp
  /** Not a text: `recognises` and `read` get the bytes as characters of Latin-1. */
  isBinary?: true
  /** True without the optional package that reads it; such files are counted as not read. */
  isMissing?(): boolean
  /** Longer texts, in characters, are read in another thread, so that the server stays responsive. */
  maxInlineLength: number
  /**
   * For names that other files have too: whether a text of such a name or type is of this format. Of
   * a file in a folder, it is called with the first 64 KiB.
   */
  recognises?(text: string): boolean
  /** `options.url` ends in the name of the file. What is left out is counted in `health.unread`. */
  read(text: string, options: CleanOptions): Page | Promise<Page>
  /** Without the page that was read, links have no section. */
  links(text: string, base: string, page?: Page): PageLink[]
}
