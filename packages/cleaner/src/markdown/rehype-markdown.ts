import type { Root } from 'hast'
import type { Plugin } from 'unified'
import { linkBase } from '../read/read-inline.ts'
import { notesIn } from '../read/read-notes.ts'
import { findBlockHolders } from '../tree/boxes.ts'
import type { FlatRoot } from './flat-tree.ts'
import { writeFlow } from './flow.ts'
import { withReferences } from './references.ts'
import { State } from './state.ts'

/** Options of {@link rehypeMarkdown}. */
export interface MarkdownOptions {
  /**
   * `text`: a link becomes its text (default). `keep`: `[text](url)`. `reference`: `[text][1]`,
   * with the URLs in a block at the end of each section.
   */
  links?: 'text' | 'keep' | 'reference'
  /** Base of relative links; only used with `links: 'keep'`. */
  url?: string
}

/** Convert hast into a flat list of headings, terms and Markdown blocks. */
export const rehypeMarkdown: Plugin<[MarkdownOptions?], Root, FlatRoot> =
  (options) => (root, file) => {
    const references = new Map<string, number>()
    const state = new State({
      links: options?.links ?? 'text',
      url: linkBase(file.data.pageFacts?.base, options?.url),
      references,
      marks: new Set(),
      blockHolders: findBlockHolders(root),
      notes: notesIn(root),
      writeFlow,
    })
    state.flow(root.children)
    state.flush()
    const children = references.size > 0 ? withReferences(state.out, references) : state.out
    return { type: 'flatRoot', children }
  }
