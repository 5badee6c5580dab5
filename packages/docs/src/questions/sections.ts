import { type Page, type Section, subtreeOf } from '@pith-mcp/cleaner'
import { resolveLength } from '@pith-mcp/paginator'
import {
  createSource,
  type Excerpt,
  maxTokens,
  type ReadOptions,
  readExcerpt,
  type Source,
} from '../excerpt/excerpt.ts'
import { DocsError } from '../protocol/docs-error.ts'
import type { Origin } from '../protocol/origin.ts'
import { recordRead } from '../section/changes.ts'
import { openWithSections } from '../section/open-page.ts'
import { pickSection } from '../section/pick-section.ts'
import type { Deps } from './deps.ts'

/** Several sections of one page, and the names that no section has. */
export interface SectionsAnswer {
  url: string
  title: string
  sections: { id: string; title: string; excerpt: Excerpt }[]
  /** Names without a section, each with a remedy. */
  missing: { name: string; remedy: string }[]
  origin: Origin
}

type SectionsOptions = Pick<ReadOptions, 'maxLength' | 'includeCodeBlocks' | 'tables'>

/** At most this many sections in one call. */
const maxSections = 20

/**
 * Several sections of a page in the requested order, within one budget. A section inside another
 * requested one is returned once. Names without a section are listed in the answer.
 *
 * @throws {DocsError} `section_not_found` if none of them exists.
 */
export async function readSections(
  { reader, store, cap }: Deps,
  url: string,
  names: readonly string[],
  options: SectionsOptions = {},
): Promise<SectionsAnswer> {
  const opened = await openWithSections(reader, url, names)
  const { page, origin } = opened
  const { requested, missing } = pickSections(page, names)
  const { maxLength, includeCodeBlocks = false, tables } = options
  const texts = requested.map((section) => subtreeOf(page, section))
  const sources = requested.map(({ id }, at) =>
    createSource(`${page.url}#${id}`, texts[at] ?? [], includeCodeBlocks, tables),
  )
  const excerpts = splitBudget(sources, resolveLength(maxLength, { cap }), cap)
  const sections = requested.map((section, at) => ({
    id: section.id,
    title: section.title || page.title,
    excerpt: excerpts[at] as Excerpt,
  }))
  await recordRead(opened, texts.flat(), store)
  return { url: page.url, title: page.title, sections, missing, origin }
}

/** The named sections that are not inside another one, and the names without a section. */
function pickSections(
  page: Page,
  names: readonly string[],
): { requested: Section[]; missing: SectionsAnswer['missing'] } {
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
  if (requested.length > 0) return { requested, missing }
  throw new DocsError(
    'section_not_found',
    'The page has none of these sections.',
    missing.map(({ remedy }) => remedy).join(' '),
  )
}

/** Minimum for each text, in characters. */
const minShare = 300

/**
 * Excerpts of several texts within one budget of characters and tokens, each from its beginning. The
 * first gets what it needs, less a minimum for the others; unused budget passes on to the next.
 */
function splitBudget(sources: readonly Source[], budget: number, cap: number): Excerpt[] {
  let characters = budget
  let tokens = maxTokens
  return sources.map((source, at) => {
    const otherCount = sources.length - at - 1
    const least = Math.min(minShare, Math.floor(characters / (otherCount + 1)))
    const maxLength = Math.max(1, characters - otherCount * least)
    const share = Math.max(1, Math.floor(tokens - (otherCount * tokens) / (sources.length * 2)))
    const excerpt = readExcerpt(source, { maxLength }, cap, share)
    characters -= excerpt.markdown.length
    tokens -= excerpt.tokens
    return excerpt
  })
}
