import { type Page, subtreeOf } from '@pith-mcp/cleaner'
import { resolveLength } from '@pith-mcp/paginator'
import { DocsError } from '../common/docs-error.ts'
import { createSource, type Excerpt, type ReadOptions } from './excerpt.ts'
import { pickSection } from './pick-section.ts'
import { shareRoom } from './share-room.ts'

export interface SectionsAnswer {
  url: string
  title: string
  sections: { id: string; title: string; excerpt: Excerpt }[]
  /** Names that no section has, each with what to do about it. */
  missing: { name: string; remedy: string }[]
}

/** Sections at once; nobody reads more of a page by its parts. */
const mostSections = 20

/**
 * Several sections of a page in the order asked for, within one budget. A section inside another
 * that was asked for too is given once.
 *
 * @throws {DocsError} `section_not_found` if none of them exists.
 */
export function readSections(
  page: Page,
  names: readonly string[],
  {
    maxLength,
    includeCodeBlocks = false,
    tables,
  }: Pick<ReadOptions, 'maxLength' | 'includeCodeBlocks' | 'tables'>,
  cap: number,
): SectionsAnswer {
  if (names.length > mostSections)
    throw new DocsError(
      'bad_argument',
      `${names.length} sections were asked for; at most ${mostSections} are given at once.`,
      'Ask for them in several calls.',
    )
  const missing: SectionsAnswer['missing'] = []
  const picked = names.flatMap((name) => {
    try {
      return [pickSection(page, name)]
    } catch (error) {
      if (!(error instanceof DocsError) || error.code !== 'section_not_found') throw error
      if (names.length === 1) throw error
      missing.push({ name, remedy: `${error.message} ${error.remedy}` })
      return []
    }
  })
  const inOthers = new Set(
    picked.flatMap((section) =>
      subtreeOf(page, section)
        .slice(1)
        .map(({ id }) => id),
    ),
  )
  const wanted = [...new Set(picked)].filter(({ id }) => !inOthers.has(id))
  if (wanted.length === 0)
    throw new DocsError(
      'section_not_found',
      'The page has none of these sections.',
      missing.map(({ remedy }) => remedy).join(' '),
    )
  const sources = wanted.map((section) =>
    createSource(`${page.url}#${section.id}`, subtreeOf(page, section), includeCodeBlocks, tables),
  )
  const excerpts = shareRoom(sources, resolveLength(maxLength, { cap }), cap)
  const sections = wanted.map((section, at) => ({
    id: section.id,
    title: section.title || page.title,
    excerpt: excerpts[at] as Excerpt,
  }))
  return { url: page.url, title: page.title, sections, missing }
}
