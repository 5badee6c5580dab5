import { type Page, subtreeOf } from '@pith-mcp/cleaner'
import { createSource, type Excerpt, type ReadOptions, readExcerpt } from '../excerpt/excerpt.ts'
import { DocsError } from '../protocol/docs-error.ts'
import type { Origin } from '../protocol/origin.ts'
import { recordRead } from '../section/changes.ts'
import { openSection } from '../section/open-page.ts'
import type { PageDeps } from './page-deps.ts'

/** One section with its subsections, or a part of it. */
export interface SectionAnswer extends Excerpt {
  url: string
  title: string
  section: { id: string; title: string }
  origin: Origin
}

/** Read the section with a name, or the one that the fragment of the URL names. */
export async function readSection(
  { reader, store, cap }: PageDeps,
  url: string,
  name: string | undefined,
  options: ReadOptions = {},
): Promise<SectionAnswer> {
  const opened = await openSection(reader, url, name)
  const { page, origin, section } = opened
  if (!section) throw missingName(page)
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

function missingName(page: Page): DocsError {
  return new DocsError(
    'bad_argument',
    `No section of ${page.title ? `“${page.title}”` : 'the page'} was named.`,
    'Pass an id or title from the table of contents.',
  )
}
