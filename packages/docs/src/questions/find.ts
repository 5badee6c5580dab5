import { type Page, type Section, subtreeOf } from '@pith-mcp/cleaner'
import { resolveLength } from '@pith-mcp/paginator'
import { createSectionRanker, termsOf } from '@pith-mcp/scorer'
import { letters } from '#base/letters'
import { createSource, type Excerpt, maxTokens, type ReadOptions } from '../excerpt/excerpt.ts'
import { readPassages, tellingTerms } from '../excerpt/passages.ts'
import type { Origin } from '../protocol/origin.ts'
import { checkQuery } from '../search/check-query.ts'
import { weakShare } from '../search/rank-sections.ts'
import { pathOf, textOf } from '../search-index/section-text.ts'
import { recordRead } from '../section/changes.ts'
import { openPage } from '../section/open-page.ts'
import type { Deps } from './deps.ts'

/** Bounds of a search in one page. */
export interface FindOptions extends Pick<ReadOptions, 'maxLength' | 'includeCodeBlocks'> {
  /** 1–10, default 3. */
  maxSections?: number | undefined
}

/** A section that matches, with the passages around the matches. */
export interface SectionMatch {
  id: string
  title: string
  /** Titles of the sections around it, outermost first. */
  path: string[]
  score: number
  reasons: string[]
  /** The section, or the part of it with most of the query's words. */
  excerpt: Excerpt
  /** Short parts with words of the query that `excerpt` lacks, at most five. */
  further: Excerpt[]
  /** Terms of the query that occur only in parts of the section that are not shown. */
  missing: string[]
  /** Code blocks are in full: code was requested, or words of the query occur only in code. */
  includesCode: boolean
}

/** The sections of one page that match a query, best first. */
export interface FindAnswer {
  url: string
  title: string
  query: string
  /** Number of all matching sections. */
  matches: number
  searched: number
  sections: SectionMatch[]
  /** What kept further sections of `near` out of `sections`; `reply` if no option gives more. */
  bound?: 'maxSections' | 'maxLength' | 'reply'
  /** Sections that match nearly as well as the last of `sections`, at most five. */
  near: { id: string; title: string }[]
  origin: Origin
}

/** With less room, in characters, a further section is only named. */
const minLength = 600
const maxNear = 5
const maxSections = 10

/**
 * The sections of a page that match a query best, within one budget: each takes what it needs, the
 * best one first. Sections whose title is the query are returned without others.
 */
export async function find(
  { reader, store, cap }: Deps,
  url: string,
  query: string,
  options: FindOptions = {},
): Promise<FindAnswer> {
  const opened = await openPage(reader, url)
  checkQuery(query)
  const { page, origin } = opened
  const byId = new Map(page.sections.map((section) => [section.id, section]))
  const ranked = rankSections(page, byId, query)
  const count = Math.min(Math.max(1, Math.floor(options.maxSections ?? 3) || 1), maxSections)
  const titleHits = ranked.filter(({ item }) => letters(item.title) === letters(query))
  const weak = weakShare * (ranked[0]?.score ?? 0)
  const strong = titleHits.length > 0 ? titleHits : ranked.filter(({ score }) => score >= weak)
  const budget = resolveLength(options.maxLength, { cap })
  const remaining = { characters: budget, tokens: maxTokens }
  const least = Math.min(minLength, budget / 4)
  const sections: SectionMatch[] = []
  const read: Section[] = []
  for (const { item, score, reasons, terms } of strong.slice(0, count)) {
    if (sections.length > 0 && remaining.characters < least) break
    const telling = tellingTerms(query, terms)
    const within = subtreeOf(page, item)
    read.push(...within)
    const includesCode = options.includeCodeBlocks || isInCodeOnly(within, telling)
    const source = createSource(`${page.url}#${item.id}`, within, includesCode)
    const { parts, missing } = readPassages(source, telling, remaining, cap)
    for (const part of parts) {
      remaining.characters -= part.markdown.length
      remaining.tokens -= part.tokens
    }
    const [excerpt, ...further] = parts
    const { id } = item
    const title = item.title || page.title
    const path = pathOf(item, byId)
    sections.push({ id, title, path, score, reasons, excerpt, further, missing, includesCode })
  }
  const bound = sections.length < strong.length && boundOf(sections.length, count, budget, cap)
  await recordRead(opened, read, store)
  return {
    url: page.url,
    title: page.title,
    query,
    matches: ranked.length,
    searched: page.sections.length,
    sections,
    ...(bound && { bound }),
    near: strong
      .slice(sections.length, sections.length + maxNear)
      .map(({ item: { id, title } }) => ({ id, title })),
    origin,
  }
}

/** What ended the list of sections. A budget near the cap cannot be raised by a section. */
function boundOf(shownCount: number, count: number, budget: number, cap: number) {
  if (shownCount === count) return count < maxSections ? 'maxSections' : 'reply'
  return cap - budget >= 2 * minLength ? 'maxLength' : 'reply'
}

function isInCodeOnly(sections: readonly Section[], terms: ReadonlySet<string>): boolean {
  const prose = new Set<string>()
  const code = new Set<string>()
  for (const { title, blocks } of sections) {
    for (const term of termsOf(title)) prose.add(term)
    for (const { kind, markdown } of blocks)
      for (const term of termsOf(markdown)) (kind === 'code' ? code : prose).add(term)
  }
  return [...terms].some((term) => code.has(term) && !prose.has(term))
}

function rankSections(page: Page, byId: ReadonlyMap<string, Section>, query: string) {
  // A continuation is ranked as part of the section that it continues.
  const headed = page.sections.filter((section) => section.kind !== 'continuation')
  const continued = new Map<string, string>()
  for (const { kind, parent, blocks } of page.sections)
    if (kind === 'continuation' && parent !== undefined)
      continued.set(parent, `${continued.get(parent) ?? ''}\n${textOf(blocks)}`)
  return createSectionRanker(headed, {
    heading: (section) => section.title,
    text: (section) => textOf(section.blocks) + (continued.get(section.id) ?? ''),
    id: (section) => section.id,
    path: (section) => pathOf(section, byId).join(' '),
    parent: (section) => byId.get(section.parent ?? ''),
  }).rank(query)
}
