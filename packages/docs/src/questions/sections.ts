import { type Section, subtreeOf } from '@pith-mcp/cleaner'
import { resolveLength } from '@pith-mcp/paginator'
import { attempt } from '#base/attempt'
import { parseLocation } from '#fetch/protocol/parse-location'
import { DocsError, quoteValue } from '#formats/docs-error'
import {
  createSource,
  type Excerpt,
  maxTokens,
  type ReadOptions,
  readExcerpt,
  type Source,
} from '../excerpt/excerpt.ts'
import { passagesOf } from '../excerpt/passages.ts'
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

interface SectionsOptions extends Pick<ReadOptions, 'maxLength' | 'includeCodeBlocks' | 'tables'> {
  /** Of sections that are longer than their shares, the passages for a query, with their code. */
  query?: string | undefined
}

/** At most this many sections in one call, and pages next to the first. */
const maxSections = 20
const maxOtherPages = 8

interface Picked {
  opened: ReadPage
  section: Section
}

/**
 * Several sections in the requested order, within one budget, by their names on a page or by the
 * address of another page and a fragment: `other.html#name`; without names, that of the URL's
 * fragment. A section inside another requested one stands by itself only. Names without a section are
 * listed in the answer.
 *
 * @throws {DocsError} `section_not_found` if none of them exists.
 */
export async function readSections(
  { reader, store, cap }: Deps,
  url: string,
  requested: readonly string[],
  options: SectionsOptions = {},
): Promise<SectionsAnswer> {
  const { fragment } = parseLocation(url)
  const names = requested.length === 0 && fragment !== undefined ? [fragment] : requested
  if (names.length > maxSections)
    throw new DocsError(
      'bad_argument',
      `${names.length} sections were requested; the limit is ${maxSections} per call.`,
      'Request them in several calls.',
    )
  const { maxLength, tables } = options
  const query = options.query?.trim()
  const includeCodeBlocks = options.includeCodeBlocks === true || Boolean(query)
  const opened = await openWithSections(reader, url, names)
  const { picked, missing } = await pickSections(reader, opened, names)
  const subtrees = picked.map(({ opened: { page }, section }) => subtreeOf(page, section))
  const texts = subtrees.map(([section, ...below]) => {
    const apart = new Set(subtrees.filter(([root]) => root && below.includes(root)).flat())
    return [section, ...below].filter((part) => part !== undefined && !apart.has(part)) as Section[]
  })
  const sources = picked.map(({ opened: { page }, section: { id } }, at) =>
    createSource(`${page.url}#${id}`, texts[at] ?? [], includeCodeBlocks, tables),
  )
  const budget = resolveLength(maxLength, { cap })
  const excerpts = splitBudget(sources, { budget, cap, query })
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

/** The named sections, each once, and the names without a section. */
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
  const each = [...new Map(picked.map((pick) => [pick.section, pick])).values()]
  if (each.length > 0) return { picked: each, missing }
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

/** Characters for each estimated token of passages: their text costs as much as prose. */
const charactersPerToken = 4.5

/**
 * Excerpts of several texts within one budget of characters and tokens: of equal shares, what the
 * shorter ones leave is for the longer. Each is the beginning of its text, or the passages for a
 * query, where the first, as the best, has nearly twice the share.
 */
function splitBudget(
  sources: readonly Source[],
  { budget, cap, query }: { budget: number; cap: number; query: string | undefined },
): Excerpt[] {
  let characters = budget
  let tokens = query ? Math.min(maxTokens, Math.ceil(budget / charactersPerToken)) : maxTokens
  const weightOf = (source: Source): number => (query && source === sources[0] ? 1.8 : 1)
  const excerpts = new Map<Source, Excerpt>()
  const byLength = sources.toSorted((a, b) => a.content.text.length - b.content.text.length)
  for (const [at, source] of byLength.entries()) {
    const left = byLength.slice(at).reduce((sum, one) => sum + weightOf(one), 0)
    const part = weightOf(source) / left
    const share = {
      maxLength: Math.max(1, Math.floor(characters * part)),
      maxTokens: Math.max(1, Math.floor(tokens * part)),
    }
    const excerpt = query
      ? passagesOf(source, query, share)
      : readExcerpt(source, share, cap, share.maxTokens)
    characters -= excerpt.markdown.length
    tokens -= excerpt.tokens
    excerpts.set(source, excerpt)
  }
  return sources.flatMap((source) => excerpts.get(source) ?? [])
}
