import type { Root, RootContent } from 'hast'
import type { Plugin } from 'unified'
import { linkBase } from '../read/read-inline.ts'
import { findBlockHolders } from '../tree/block-holders.ts'
import type { Context } from './context.ts'
import { plainFlow } from './flow.ts'

export interface PlainOptions {
  /** `text`: a link is its text (default). `keep`: it stays a link. */
  links?: 'text' | 'keep'
  /** Relative links are resolved against this; only used with `links: 'keep'`. */
  url?: string
}

/**
 * Say in plain HTML what documentation says in its own: admonitions as quotations, code with its
 * language as `pre > code.language-x`, layout tables as their content, definition lists as
 * paragraphs, formulas as `code.math-inline` and `code.math-display`. What is left every tool
 * for HTML understands.
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
