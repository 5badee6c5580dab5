import type { Root } from 'hast'
import type { Plugin } from 'unified'
import { createTimeCheck } from '../time-check.ts'
import { closeRawText } from './close-raw-text.ts'
import { HandOver } from './hand-over.ts'
import { openShadowRoots } from './open-shadow-roots.ts'
import { type ParsedDocument, parseWellFormed } from './parse-well-formed.ts'
import { type ElementBounds, parseWithParse5 } from './parse-with-parse5.ts'
import { type DepthOptions, defaultMaxDepth, limitDepth } from './rehype-limit-depth.ts'
import { kind, tagNamed } from './tags.ts'

declare module 'vfile' {
  interface DataMap {
    /** Which parser read the document. */
    parser: 'fast' | 'parse5'
  }
}

/** How a document is parsed, and the bounds of it: depth, number of elements, milliseconds. */
export interface ParseOptions extends DepthOptions {
  /** A page with more elements is a `CleanError`. Default 500,000. */
  maxElements?: number
  /** Milliseconds of processor time; exceeding them is a `CleanError`. Default 30,000. */
  maxTime?: number
  /**
   * `fast` (default): our own parser, which hands over to parse5 what it does not surely read alike.
   * `parse5`: parse5 alone, for the day of a fault in ours; about 1.4 times the processor time.
   */
  parser?: 'fast' | 'parse5'
}

/**
 * Unified parser: HTML to hast by the WHATWG algorithm, without positions. Unlike it, an element such
 * as `iframe` or `title` without an end tag does not contain the rest of the page.
 */
export const rehypeParse5: Plugin<[ParseOptions?], string, Root> = function (options) {
  const {
    maxDepth = defaultMaxDepth,
    maxElements = 500_000,
    maxTime,
    parser = 'fast',
  } = options ?? {}
  const parse = parsers[parser]
  if (!parse)
    throw new RangeError(`\`parser\` is 'fast' or 'parse5', not ${JSON.stringify(parser)}.`)
  this.parser = (document, file) => {
    const bounds = { maxElements, checkTime: createTimeCheck(maxTime) }
    const { root, depth } = parse(toHtml(document), bounds)
    file.data.parser = depth < Number.POSITIVE_INFINITY ? 'fast' : 'parse5'
    if (depth >= maxDepth) limitDepth(root, maxDepth)
    // The fast parse leaves shadow roots to parse5.
    if (depth < Number.POSITIVE_INFINITY || !/\bshadowroot/i.test(document)) return root
    openShadowRoots(root)
    limitDepth(root, maxDepth)
    return root
  }
}

/** parse5 parses what the fast parse does not guarantee to read in the same way. */
function parseDocument(document: string, bounds: ElementBounds): ParsedDocument {
  try {
    return parseWellFormed(document, bounds)
  } catch (error) {
    if (!(error instanceof HandOver)) throw error
    return parseByReference(document, bounds)
  }
}

/** Of unknown depth. */
const parseByReference = (document: string, bounds: ElementBounds): ParsedDocument => ({
  root: parseWithParse5(closeRawText(document), bounds),
  depth: Number.POSITIVE_INFINITY,
})

const parsers = { fast: parseDocument, parse5: parseByReference }

const isXhtml = /^\s*<\?xml\b/

/** XML allows self-closing tags, which HTML parses as open tags. @public */
export function toHtml(document: string): string {
  if (!isXhtml.test(document)) return document
  return document.replace(
    /<([a-z][\w:-]*)(\s[^<>]*)?\/>/gi,
    (tag, name: string, attributes = '') =>
      tagNamed(name.toLowerCase()).kinds & kind.void ? tag : `<${name}${attributes}></${name}>`,
  )
}
