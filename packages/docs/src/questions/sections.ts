import { type Section, subtreeOf } from '@pith-mcp/cleaner'
import { resolveLength } from '@pith-mcp/paginator'
import { attempt } from '#base/attempt'
import { DocsError, quoteValue } from '#formats/docs-error'
import {
  createSource,
  type Excerpt,
  maxTokens,
  type ReadOptions,
  readExcerpt,
  type Source,
} from '../excerpt/excerpt.ts'
import type { PageReader } from '../page/page-reader.ts'
import type { ReadPage } from '../page/read-page.ts'
import type { Origin } from '../protocol/origin.ts'
import { recordRead } from '../section/changes.ts'
import { openSection, openWithSections } from '../section/open-page.ts'
import { exactSection, pickSection } from '../section/pick-section.ts'
import type { Deps } from './deps.ts'

/** Several sections of one or more pages, and the names that no section has. */
export interface SectionsAnswer {
  /** The page of names without an address, and its title. */
  url: string
  title: string
  sections: NamedSection[]
  /** Names without a section, each with a remedy. */
  missing: { name: string; remedy: string }[]
  origin: Origin
}

interface NamedSection {
  /** Its page, and the title of the page. */
  url: string
  pageTitle: string
  id: string
  title: string
  excerpt: Excerpt
  origin: Origin
}

type SectionsOptions = Pick<ReadOptions, 'maxLength' | 'includeCodeBlocks' | 'tables'>

/** At most this many sections in one call, and pages next to the first. */
const maxSections = 20
const maxOtherPages = 8

interface Picked {
  opened: ReadPage
  section: Section
}

/**
 * Several sections in the requested order, within one budget, by their names on a page or by the
 * address of another page and a fragment: `other.html#name`. A section inside another requested one
 * is returned once. Names without a section are listed in the answer.
 *
 * @throws {DocsError} `section_not_found` if none of them exists.
 */
export async function readSections(
  { reader, store, cap }: Deps,
  url: string,
  names: readonly string[],
  options: SectionsOptions = {},
): Promise<SectionsAnswer> {
  if (names.length > maxSections)
    throw new DocsError(
      'bad_argument',
      `${names.length} sections were requested; the limit is ${maxSections} per call.`,
      'Request them in several calls.',
    )
  const opened = await openWithSections(reader, url, names)
  const { picked, missing } = await pickSections(reader, opened, names)
  const { maxLength, includeCodeBlocks = false, tables } = options
  const texts = picked.map(({ opened: { page }, section }) => subtreeOf(page, section))
  const sources = picked.map(({ opened: { page }, section: { id } }, at) =>
    createSource(`${page.url}#${id}`, texts[at] ?? [], includeCodeBlocks, tables),
  )
  const excerpts = splitBudget(sources, resolveLength(maxLength, { cap }), cap)
  const sections = picked.map(({ opened: { page, origin }, section }, at) => ({
    url: page.url,
    pageTitle: page.title,
    id: section.id,
    title: section.title || page.title,
    excerpt: excerpts[at] as Excerpt,
    origin,
  }))
  for (const [at, section] of picked.entries())
    await recordRead(section.opened, texts[at] ?? [], store)
  const { page, origin } = opened
  return { url: page.url, title: page.title, sections, missing, origin }
}

/** An address with a fragment, not a title with a sign: `guide/start.html#install`. */
const address = /^(?=[^#]*[./])(?:[^#\s]+|[^#\n]+\.\w{1,5})#\S+$/

/** The named sections that are not inside another one, and the names without a section. */
async function pickSections(
  reader: PageReader,
  opened: ReadPage,
  names: readonly string[],
): Promise<{ picked: Picked[]; missing: SectionsAnswer['missing'] }> {
  const missing: SectionsAnswer['missing'] = []
  const picked: Picked[] = []
  const otherPages = new Set<string>()
  for (const name of names) {
    try {
      picked.push(await pickFrom(reader, opened, name, otherPages))
    } catch (error) {
      if (!(error instanceof DocsError) || names.length === 1) throw error
      missing.push({ name, remedy: `${error.message} ${error.remedy}` })
    }
  }
  const inOthers = new Set(
    picked.flatMap(({ opened: { page }, section }) => subtreeOf(page, section).slice(1)),
  )
  const requested = [...new Map(picked.map((pick) => [pick.section, pick])).values()]
  const outermost = requested.filter(({ section }) => !inOthers.has(section))
  if (outermost.length > 0) return { picked: outermost, missing }
  throw new DocsError(
    'section_not_found',
    'The page has none of these sections.',
    missing.map(({ remedy }) => remedy).join(' '),
  )
}

/** The section of the page with this name, or that of another page if the name is its address. */
async function pickFrom(
  reader: PageReader,
  opened: ReadPage,
  name: string,
  otherPages: Set<string>,
): Promise<Picked> {
  if (!address.test(name) || attempt(() => exactSection(opened.page, name), undefined))
    return { opened, section: pickSection(opened.page, name) }
  otherPages.add(name.replace(/#.*$/s, ''))
  if (otherPages.size > maxOtherPages)
    throw new DocsError(
      'bad_argument',
      `${quoteValue(name)} is on a page beyond the ${maxOtherPages} others of a call.`,
      'Request it in another call.',
    )
  const { section, ...read } = await openSection(reader, name, undefined)
  return { opened: read, section: section ?? pickSection(read.page, name) }
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
