import { type Page, subtreeOf } from '@pith-mcp/cleaner'
import { resolveLength } from '@pith-mcp/paginator'
import { DocsError } from '../protocol/docs-error.ts'
import { createSource, type Excerpt, type ReadOptions } from './excerpt.ts'
import { pickSection } from './pick-section.ts'
import { splitBudget } from './split-budget.ts'

/** Several sections of one page, and the names that no section has. */
export interface SectionsAnswer {
  url: string
  title: string
  sections: { id: string; title: string; excerpt: Excerpt }[]
  /** Names without a section, each with a remedy. */
  missing: { name: string; remedy: string }[]
}

/** At most this many sections in one call. */
const maxSections = 20

/**
 * Several sections of a page in the requested order, within one budget. A section inside another
 * requested one is returned once.
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
  if (names.length > maxSections)
    throw new DocsError(
      'bad_argument',
      `${names.length} sections were requested; the limit is ${maxSections} per call.`,
      'Request them in several calls.',
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
  const requested = [...new Set(picked)].filter(({ id }) => !inOthers.has(id))
  if (requested.length === 0)
    throw new DocsError(
      'section_not_found',
      'The page has none of these sections.',
      missing.map(({ remedy }) => remedy).join(' '),
    )
  const sources = requested.map((section) =>
    createSource(`${page.url}#${section.id}`, subtreeOf(page, section), includeCodeBlocks, tables),
  )
  const excerpts = splitBudget(sources, resolveLength(maxLength, { cap }), cap)
  const sections = requested.map((section, at) => ({
    id: section.id,
    title: section.title || page.title,
    excerpt: excerpts[at] as Excerpt,
  }))
  return { url: page.url, title: page.title, sections, missing }
}
