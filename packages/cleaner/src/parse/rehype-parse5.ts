import type { Root } from 'hast'
import { parse } from 'parse5'
import type { Plugin } from 'unified'
import { createHastAdapter } from './hast-adapter.ts'
import { limitDepth } from './limit-depth.ts'

export interface ParseOptions {
  /**
   * Elements nested deeper than this are replaced by their text. Default 512, the depth at
   * which browsers flatten a document too.
   */
  maxDepth?: number
}

/** Unified parser: HTML text to hast by the WHATWG algorithm, without positions. */
export const rehypeParse5: Plugin<[ParseOptions?], string, Root> = function (options) {
  this.parser = (document) => {
    const root = parse(document, { treeAdapter: createHastAdapter(), scriptingEnabled: false })
    limitDepth(root, options?.maxDepth ?? 512)
    return root
  }
}
