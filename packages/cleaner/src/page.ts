import type { Removal } from './noise/rehype-strip-noise.ts'

/** One documentation page, reduced to what a reader came for. Plain data: it survives JSON. */
export interface Page {
  /** Where the page came from; empty when the caller named no `url`. */
  url: string
  title: string
  /** BCP 47 tag from `<html lang>`, when the page states one. */
  language?: string
  /** In document order. A section's own blocks stand before the sections it contains. */
  sections: Section[]
  health: Health
}

export interface Section {
  /** Unique in the page; the fragment that leads a browser here wherever the page has one. */
  id: string
  /** Other fragments of the page that lead to this section. */
  aliases?: string[]
  /** Plain text, whitespace collapsed. Empty for a continuation. */
  title: string
  /** 0 for text before the first heading, 1–6 for headings; an entry is one below its heading. */
  level: number
  /** Id of the containing section. */
  parent?: string
  /**
   * Absent for a heading. `entry`: one term of a definition list (a function, an option), whose
   * first blocks are the term.
   * `continuation`: what the parent goes on to say after its entries.
   */
  kind?: 'entry' | 'continuation'
  blocks: Block[]
}

export type BlockKind = 'text' | 'list' | 'table' | 'code' | 'quote' | 'definition'

export interface Block {
  kind: BlockKind
  /** Markdown without the prefixes below. A code block is its fence and, verbatim, its text. */
  markdown: string
  /** Code only: the language the page names. */
  language?: string
  /** Code only: number of lines of code. */
  lines?: number
  /** Tables only: rows of the header, if more than one; the others follow as rows in `markdown`. */
  headRows?: number
  /**
   * Tables only: cells that another one spans, which are empty in `markdown`, as row, column, and row
   * and column of the other; rows are counted from the header, 0.
   */
  covered?: [row: number, column: number, fromRow: number, fromColumn: number][]
  /** Put before every line: the indentation of a list item, the `> ` of a quotation. */
  prefix?: string
  /** Put before the first line instead of `prefix`: the marker of a list item. */
  lead?: string
}

/** What the cleaner did to the page, so that a reader can tell a good page from an empty shell. */
export interface Health {
  /** The element taken as the content, as `tag#id.class`. */
  region: string
  /**
   * Why that element: the caller's selector, a landmark of the page, the densest text, or the whole
   * body; or no HTML at all.
   */
  reason: 'selector' | 'landmark' | 'density' | 'body' | 'markdown'
  /** The generator of the page, where it is one that is known. */
  profile?: string
  /** Rules that would have left out most of the text; they were not applied. */
  overruled?: string[]
  /** With `debug`: what was left out, outer elements before those inside their neighbours. */
  removals?: Removal[]
  /** Characters of the content without noise ÷ those of all text in the body, blanks aside; 0–1. */
  kept: number
  /** Set when the page carries scripts but next to no text. */
  suspectedShell: boolean
}
