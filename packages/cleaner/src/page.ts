import type { Removal } from './noise/removal.ts'

/** One documentation page, reduced to its content. Plain data: it can be serialised as JSON. */
export interface Page {
  /** URL of the page; empty if the caller passed none. */
  url: string
  title: string
  /** BCP 47 tag of `<html lang>`, if the page declares one. */
  language?: string
  /** In document order. A section's own blocks precede its subsections. */
  sections: Section[]
  health: Health
}

/** A heading with its own blocks; subsections are separate sections that name it as `parent`. */
export interface Section {
  /** Unique in the page; the fragment that a browser scrolls to, if the page has one. */
  id: string
  /** Other fragments of the page for this section. */
  aliases?: string[]
  /** Plain text with collapsed white space. Empty for a continuation. */
  title: string
  /** 0 for text before the first heading, 1–6 for headings; an entry is one below its heading. */
  level: number
  /** Id of the containing section. */
  parent?: string
  /**
   * Absent for a heading. `entry`: one term of a definition list (a function, an option), whose
   * first blocks are the term. `continuation`: text of the parent after its entries.
   */
  kind?: 'entry' | 'continuation'
  blocks: Block[]
}

/** The kind of a block; it decides where the block may be cut. */
export type BlockKind = 'text' | 'list' | 'table' | 'code' | 'quote' | 'definition'

/** A paragraph, list, table, code block or other unit of a section. */
export interface Block {
  kind: BlockKind
  /** Markdown without the prefixes below. A code block is its fence and its verbatim text. */
  markdown: string
  /** Code only: the language that the page declares. */
  language?: string
  /** Code only: number of lines of code. */
  lines?: number
  /**
   * Tables only: number of header rows, if more than one; the second and later ones are rows in
   * `markdown`.
   */
  headRows?: number
  /**
   * Tables only: cells covered by a spanning cell, which are empty in `markdown`, as row, column,
   * and row and column of the spanning cell; rows are counted from the header, 0.
   */
  covered?: [row: number, column: number, fromRow: number, fromColumn: number][]
  /** Prefix of every line: the indentation of a list item, the `> ` of a quotation. */
  prefix?: string
  /** Prefix of the first line instead of `prefix`: the marker of a list item. */
  lead?: string
}

/** How the page was cleaned, to tell a good page from an empty shell. */
export interface Health {
  /** The element taken as the content, as `tag#id.class`. */
  region: string
  /**
   * Why that element: the caller's selector, a landmark of the page, the densest text, or the whole
   * body; `markdown` if the page was not HTML.
   */
  reason: 'selector' | 'landmark' | 'density' | 'body' | 'markdown'
  /** The generator of the page, if it is recognised. */
  profile?: string
  /** Rules that would have removed most of the text and were not applied. */
  overruled?: string[]
  /**
   * What stands next to the content and no rule names: labels of a few words. Absent if there is
   * nothing of the kind.
   */
  leftOut?: LeftOut
  /** With `debug`: the removed elements, outer ones before those inside their siblings. */
  removals?: Removal[]
  /**
   * Characters of the content without noise divided by those of all text in the body, without white
   * space; 0–1.
   */
  kept: number
  /**
   * Where the text stands if the page shows almost none: `noscript`, `iframe`, `script#data`. Absent
   * for a page that shows its text.
   */
  textFrom?: string
  /**
   * Data in a page without text, of which none is its text; or what a reader of another format does
   * not read, such as `3 images`.
   */
  unread?: string[]
  /** True if the page has scripts but almost no text. */
  suspectedShell: boolean
}

/** Text of a page that is in no section. */
export interface LeftOut {
  blocks: number
  /** Without white space. */
  characters: number
}
