import type { Root } from 'hast'
import { parse } from 'parse5'
import type { Plugin } from 'unified'
import { createTimeCheck } from '../time-check.ts'
import { createHastAdapter } from './hast-adapter.ts'
import { limitDepth } from './limit-depth.ts'

export interface ParseOptions {
  /**
   * Elements nested deeper than this are replaced by their text. Default 512, the depth at
   * which browsers flatten a document too.
   */
  maxDepth?: number
  /** A page with more elements is a `CleanError`, for they cost time and memory. Default 500,000. */
  maxElements?: number
  /** A page that takes longer, in ms, is a `CleanError`. Default 30,000. */
  maxTime?: number
}

/** Unified parser: HTML text to hast by the WHATWG algorithm, without positions. */
export const rehypeParse5: Plugin<[ParseOptions?], string, Root> = function (options) {
  this.parser = (document) => {
    const root = parse(isXhtml.test(document) ? closeTags(document) : document, {
      treeAdapter: createHastAdapter(
        options?.maxElements ?? 500_000,
        createTimeCheck(options?.maxTime),
      ),
      scriptingEnabled: false,
    })
    limitDepth(root, options?.maxDepth ?? 512)
    return root
  }
}

const isXhtml = /^\s*<\?xml\b/
const voidTags = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)

/** XML may close a tag in itself; HTML would read on to an end that never comes. */
function closeTags(xhtml: string): string {
  return xhtml.replace(/<([a-z][\w:-]*)(\s[^<>]*)?\/>/gi, (tag, name: string, attributes = '') =>
    voidTags.has(name.toLowerCase()) ? tag : `<${name}${attributes}></${name}>`,
  )
}
