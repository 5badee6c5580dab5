import type { Root } from 'hast'
import { type Processor, unified } from 'unified'
import { VFile } from 'vfile'
import { CleanError } from './clean-error.ts'
import { compilePage, type PageOptions } from './group/compile-page.ts'
import type { FlatRoot } from './markdown/flat-tree.ts'
import { type MarkdownOptions, rehypeMarkdown } from './markdown/rehype-markdown.ts'
import type { StripNoiseOptions } from './noise/rehype-strip-noise.ts'
import type { Page } from './page.ts'
import { type ParseOptions, rehypeParse5 } from './parse/rehype-parse5.ts'
import { cleaningSteps } from './pith-clean.ts'
import type { MainRegionOptions } from './region/rehype-main-region.ts'
import { createTimeCheck } from './time-check.ts'

/** Options of cleaning; bounds are in UTF-16 code units. */
export interface CleanOptions
  extends ParseOptions,
    MainRegionOptions,
    StripNoiseOptions,
    MarkdownOptions,
    PageOptions {
  /** Maximum length of the input, in UTF-16 code units. Default 16 Mi. */
  maxLength?: number
}

/** The page of what a document shows without its scripts; of its tree, if that is given. */
export function cleanVisible(html: string, options: CleanOptions, tree?: Root): Page {
  const pipeline = createPipeline(options)
  const file = new VFile(html)
  const page = pipeline.stringify(pipeline.runSync(tree ?? pipeline.parse(file), file), file)
  // A copy: the strings of a page are parts of the document, which they would keep in memory.
  return structuredClone(page)
}

/** @throws {CleanError} `too_large` past the limit, by default 16 Mi characters. */
export function assertLength(text: string, maxLength: number = 16 * 1024 * 1024): void {
  if (text.length > maxLength)
    throw new CleanError(
      'too_large',
      `The page has ${text.length} characters; the limit is ${maxLength}. Raise \`maxLength\` to clean it.`,
    )
}

function createPipeline(options: CleanOptions): Processor<Root, Root, FlatRoot, FlatRoot, Page> {
  const checkTime = createTimeCheck(options.maxTime)
  return unified()
    .use(rehypeParse5, options)
    .use(cleaningSteps(options, checkTime))
    .use(rehypeMarkdown, options)
    .use(() => () => checkTime())
    .use(compilePage, options) as unknown as Processor<Root, Root, FlatRoot, FlatRoot, Page>
}
