import { type Page, type Section, subtreeOf } from '@pith-mcp/cleaner'
import { estimateTokens, resolveLength } from '@pith-mcp/paginator'
import { createSectionRanker, readQuery, termsOf } from '@pith-mcp/scorer'
import { letters } from '#base/letters'
import { createSource, maxTokens, type ReadOptions } from '../excerpt/excerpt.ts'
import { sectionExcerpt } from '../excerpt/section-excerpt.ts'
import type { Origin } from '../protocol/origin.ts'
import { checkQuery } from '../search/check-query.ts'
import { weakShare } from '../search/rank-sections.ts'
import { pathOf, textOf } from '../search-index/section-text.ts'
import { recordRead } from '../section/changes.ts'
import { openPage } from '../section/open-page.ts'
import type { Deps } from './deps.ts'

/** Bounds of a search in one page. */
export interface FindOptions extends Pick<ReadOptions, 'includeCodeBlocks'> {
  /** 1–10, default 6. */
  maxSections?: number | undefined
  /** Characters of all sections; 0: as many as allowed; absent or negative: 3,000. */
  maxLength?: number | undefined
}

/** A section that matches: whole, or its beginning and its best passages. */
export interface SectionMatch {
  id: string
  title: string
  /** Titles of the sections around it, outermost first. */
  path: string[]
  score: number
  reasons: string[]
  /** Its heading as Markdown; empty if it has none. */
  heading: string
  /** What is shown, with `…` for what is left out, and its estimated tokens. */
  markdown: string
  tokens: number
  /** `markdown` is all of the section with its subsections. */
  isWhole: boolean
  /** Characters and estimated tokens of the section with its subsections. */
  total: number
  totalTokens: number
  codeBlocksOmitted: number
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
  /** Number of all matching sections, without those that are inside a section that is shown. */
  matches: number
  searched: number
  sections: SectionMatch[]
  /** What kept further sections of `near` out of `sections`; `reply` if no option gives more. */
  bound?: 'maxSections' | 'maxLength' | 'reply'
  /** Sections that match nearly as well as the last of `sections`, at most five. */
  near: { id: string; title: string }[]
  origin: Origin
}

const defaultLength = 3_000
/** Characters of the best section and of others, unless only one matches. */
const firstLength = 2_000
const nextLength = 1_000
/** With less room, in characters, a further section is only named. */
const minLength = 300
const maxNear = 5
const maxSections = 10

/**
 * The sections of a page that match a query best, within one budget: each takes what it needs, the
 * best one up to 2,000 characters, others up to 1,000; one alone takes all. A section comes with its
 * subsections, and without those that come by themselves. Sections whose title is the query are
 * returned without others.
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
  const count = Math.min(Math.max(1, Math.floor(options.maxSections ?? 6) || 1), maxSections)
  const strong = strongOf(ranked, query)
  const { maxLength = defaultLength } = options
  const budget = resolveLength(maxLength < 0 ? defaultLength : maxLength, { cap })
  const least = Math.min(minLength, budget / 4)
  const sections: SectionMatch[] = []
  const read = new Set<Section>()
  let room = budget
  let tokens = maxTokens
  const isAlone = strong.length === 1
  for (const { item, score, reasons, terms } of strong) {
    if (sections.length === count || (sections.length > 0 && room < least)) break
    const subtree = subtreeOf(page, item)
    const part = unreadPart(subtree, item, read)
    if (part === undefined) continue
    const match = matchIn(page, subtree, part, {
      query,
      terms,
      maxLength: isAlone ? room : Math.min(room, sections.length === 0 ? firstLength : nextLength),
      includesCode: options.includeCodeBlocks === true,
      tokens,
    })
    room -= match.markdown.length
    tokens -= match.tokens
    for (const section of part) read.add(section)
    const { id } = item
    const title = item.title || page.title
    const path = pathOf(item, byId)
    sections.push({ id, title, path, score, reasons, ...match })
  }
  const ids = new Set(sections.map(({ id }) => id))
  const inside = ranked.filter(({ item }) => read.has(item) && !ids.has(item.id)).length
  const rest = strong.filter(({ item }) => !read.has(item))
  const bound = rest.length > 0 && boundOf(sections.length, count, budget, cap)
  await recordRead(opened, [...read], store)
  return {
    url: page.url,
    title: page.title,
    query,
    matches: ranked.length - inside,
    searched: page.sections.length,
    sections,
    ...(bound && { bound }),
    near: rest.slice(0, maxNear).map(({ item: { id, title } }) => ({ id, title })),
    origin,
  }
}

/** The sections whose title is the query, or else those that match not much less than the best. */
function strongOf<T extends { item: Section; score: number }>(
  ranked: readonly T[],
  query: string,
): readonly T[] {
  const titleHits = ranked.filter(({ item }) => letters(item.title) === letters(query))
  const least = weakShare * (ranked[0]?.score ?? 0)
  return titleHits.length > 0 ? titleHits : ranked.filter(({ score }) => score >= least)
}

/**
 * The section with its subsections; without them if one is shown by itself; undefined if all of its
 * text is shown.
 */
function unreadPart(
  subtree: readonly Section[],
  section: Section,
  read: ReadonlySet<Section>,
): readonly Section[] | undefined {
  if (read.has(section)) return undefined
  if (!subtree.some((each) => read.has(each))) return subtree
  const parts = subtree.filter(
    ({ id, kind, parent }) =>
      id === section.id || (kind === 'continuation' && parent === section.id),
  )
  return parts.some(({ blocks }) => blocks.length > 0) ? parts : undefined
}

interface MatchOptions {
  query: string
  /** Matched terms. */
  terms: readonly string[]
  maxLength: number
  includesCode: boolean
  /** At most this many estimated tokens. */
  tokens: number
}

function matchIn(
  page: Page,
  subtree: readonly Section[],
  part: readonly Section[],
  { query, terms, maxLength, includesCode: isCode, tokens: maxTokens }: MatchOptions,
) {
  const includesCode = isCode || isInCodeOnly(part, tellingTerms(query, terms))
  const source = createSource(page.url, part, includesCode)
  const { content, codeBlocksOmitted } = source
  const all = part === subtree ? content : createSource(page.url, subtree, includesCode).content
  const [heading = ''] = /^#{1,6} .*\n+/.exec(content.text) ?? []
  const text = content.text.slice(heading.length)
  let excerpt = sectionExcerpt(text, query, maxLength)
  for (let tries = 0; tries < 8; tries++) {
    const tokens = estimateTokens(excerpt.text)
    if (tokens <= maxTokens) break
    const shorter = Math.floor((excerpt.text.length * maxTokens * 0.9) / tokens)
    excerpt = sectionExcerpt(text, query, Math.max(1, shorter))
  }
  return {
    heading: heading.trim(),
    markdown: excerpt.text,
    tokens: estimateTokens(excerpt.text),
    isWhole: excerpt.isWhole && content.text.length === all.text.length,
    total: all.text.length,
    totalTokens: estimateTokens(all.text),
    codeBlocksOmitted,
    missing: excerpt.missing,
    includesCode,
  }
}

/** The significant of the matched terms of a query; without such terms, also those of question words. */
function tellingTerms(query: string, matched: readonly string[]): ReadonlySet<string> {
  const asking = readQuery(query).terms.filter(
    ({ term, weight }) => weight < 1 && !/^\d+$/.test(term),
  )
  const weak = new Set(asking.map(({ term }) => term))
  const telling = matched.filter((term) => !weak.has(term))
  return new Set(telling.length > 0 ? telling : matched)
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
  }).rank(query)
}
