import type { Root, RootContent } from 'hast'
import type { Plugin } from 'unified'
import { linkBase } from '../read/read-inline.ts'
import { findBlockHolders } from '../tree/block-holders.ts'
import type { Context } from './context.ts'
import { plainFlow } from './flow.ts'

/** Options of `pithRemark`. */
export interface PlainOptions {
  /** `text`: a link becomes its text (default). `keep`: it stays a link. */
  links?: 'text' | 'keep'
  /** Base of relative links; only used with `links: 'keep'`. */
  url?: string
}

/**
 * Convert documentation markup into plain HTML: admonitions to quotations, code with its language
 * to `pre > code.language-x`, layout tables to their content, definition lists to paragraphs,
 * formulas to `code.math-inline` and `code.math-display`. Every HTML tool understands the result.
 */
export const rehypePlain: Plugin<[PlainOptions?], Root> = (options) => (root, file) => {
  const context: Context = {
    links: options?.links ?? 'text',
    url: linkBase(file.data.pageFacts?.base, options?.url),
    language: undefined,
    blockHolders: findBlockHolders(root),
    flow: plainFlow,
  }
  root.children = plainFlow(root.children, context) as RootContent[]
}
