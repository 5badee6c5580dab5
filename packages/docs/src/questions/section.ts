import { subtreeOf } from '@pith-mcp/cleaner'
import { DocsError } from '#formats/docs-error'
import { createSource, type Excerpt, type ReadOptions, readExcerpt } from '../excerpt/excerpt.ts'
import type { Origin } from '../protocol/origin.ts'
import { recordRead } from '../section/changes.ts'
import { openPage, openSection } from '../section/open-page.ts'
import type { Deps } from './deps.ts'

/** One section with its subsections, or a part of it. */
export interface SectionAnswer extends Excerpt {
  url: string
  title: string
  section: { id: string; title: string }
  origin: Origin
}

/** One section with all its subsections; by default the one that the URL's fragment names. */
export async function readSection(
  { reader, store, cap }: Deps,
  url: string,
  name: string | undefined,
  options: ReadOptions = {},
): Promise<SectionAnswer> {
  const opened = await openSection(reader, url, name)
  const { page, origin, section } = opened
  if (!section)
    throw new DocsError(
      'bad_argument',
      `No section of ${page.title ? `“${page.title}”` : 'the page'} was named.`,
      'Pass an id or title from the table of contents.',
    )
  const within = subtreeOf(page, section)
  await recordRead(opened, within, store)
  const { includeCodeBlocks = false, tables } = options
  const source = createSource(`${page.url}#${section.id}`, within, includeCodeBlocks, tables)
  return {
    url: page.url,
    title: page.title,
    section: { id: section.id, title: section.title || page.title },
    ...readExcerpt(source, options, cap),
    origin,
  }
}

/** A part of a page, in its own order. */
export interface ContentAnswer extends Excerpt {
  url: string
  title: string
  origin: Origin
}

/** Read a whole page, or a part of it. */
export async function readContent(
  { reader, store, cap }: Deps,
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

/** Ids of the sections of a page, in document order. */
export async function sectionIds({ reader }: Deps, url: string): Promise<string[]> {
  const { page } = await openPage(reader, url)
  return page.sections.filter(({ kind }) => kind !== 'continuation').map(({ id }) => id)
}
