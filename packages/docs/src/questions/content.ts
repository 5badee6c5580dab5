import { createSource, type Excerpt, type ReadOptions, readExcerpt } from '../excerpt/excerpt.ts'
import type { Origin } from '../protocol/origin.ts'
import { recordRead } from '../section/changes.ts'
import { openPage } from '../section/open-page.ts'
import type { PageDeps } from './page-deps.ts'

/** A part of a page, in its own order. */
export interface ContentAnswer extends Excerpt {
  url: string
  title: string
  origin: Origin
}

/** Read a whole page, or a part of it. */
export async function readContent(
  { reader, store, cap }: PageDeps,
  url: string,
  options: ReadOptions = {},
): Promise<ContentAnswer> {
  const opened = await openPage(reader, url)
  const { page, origin } = opened
  await recordRead(opened, page.sections, store)
  const { includeCodeBlocks = false, tables } = options
  const source = createSource(page.url, page.sections, includeCodeBlocks, tables)
  return { url: page.url, title: page.title, ...readExcerpt(source, options, cap), origin }
}
