import type { Root } from 'hast'
import { parse } from 'parse5'
import type { Plugin } from 'unified'
import { createTimeCheck } from '../time-check.ts'
import { HastAdapter, type HastMap } from './hast-adapter.ts'
import { limitDepth } from './limit-depth.ts'

/** Bounds of parsing: depth, number of elements, milliseconds. */
export interface ParseOptions {
  /** Deeper elements are replaced by their text. Default 512, the depth limit of browsers. */
  maxDepth?: number
  /** A page with more elements is a `CleanError`. Default 500,000. */
  maxElements?: number
  /** Time limit in milliseconds; exceeding it is a `CleanError`. Default 30,000. */
  maxTime?: number
}

/** Unified parser: HTML to hast by the WHATWG algorithm, without positions. */
export const rehypeParse5: Plugin<[ParseOptions?], string, Root> = function (options) {
  this.parser = (document) => {
    const root = parse<HastMap>(isXhtml.test(document) ? closeTags(document) : document, {
      treeAdapter: new HastAdapter(
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

/** XML allows self-closing tags, which HTML parses as open tags. */
function closeTags(xhtml: string): string {
  return xhtml.replace(/<([a-z][\w:-]*)(\s[^<>]*)?\/>/gi, (tag, name: string, attributes = '') =>
    voidTags.has(name.toLowerCase()) ? tag : `<${name}${attributes}></${name}>`,
  )
}
