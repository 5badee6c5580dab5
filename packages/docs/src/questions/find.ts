import { type Page, type Section, subtreeOf } from '@pith-mcp/cleaner'
import { estimateTokens, resolveLength } from '@pith-mcp/paginator'
import { type Ranked, readQuery, termsOf } from '@pith-mcp/scorer'
import { letters } from '#base/letters'
import {
  createSource,
  maxTokens,
  type ReadOptions,
  readExcerpt,
  type Source,
} from '../excerpt/excerpt.ts'
import { type Bounds, excerptWithin } from '../excerpt/passages.ts'
import type { Origin } from '../protocol/origin.ts'
import { checkQuery } from '../search/check-query.ts'
import { rankPage } from '../search/rank-page.ts'
import { weakShare } from '../search/rank-sections.ts'
import { namedBy, wordsOf } from '../search/score-by-name.ts'
import { pathOf } from '../search-index/section-text.ts'
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
  /** Of a section that is read from its start: where it goes on. */
  nextPage?: string | undefined
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
/** Shares of the best section and of others in the characters, unless only one matches. */
const best = { share: 2 / 3, least: 2_000 }
const other = { share: 1 / 3, least: 1_000 }
/** With less room, in characters, a further section is only named. */
const minLength = 300
const maxNear = 5
const maxSections = 10

/**
 * The sections of a page that match a query best, within one budget: the best one up to 2,000
 * characters or two thirds of it, others up to half as many, one alone all, and what is left goes to those that are cut, the best first.
 * A section comes with its subsections, and without those that come by themselves. Sections whose
 * title is the query, or that it names, are read from their start, without others.
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
  const ranked = rankPage(page, query)
  const count = Math.min(Math.max(1, Math.floor(options.maxSections ?? 6) || 1), maxSections)
  const titled = titledBy(page, ranked, query)
  const isTitled = titled.length > 0
  const strong = isTitled ? titled : aboveWeak(ranked)
  const { maxLength = defaultLength } = options
  const budget = resolveLength(maxLength < 0 ? defaultLength : maxLength, { cap })
  const least = Math.min(minLength, budget / 4)
  const shareOf = (at: number): number => {
    if (isTitled) return Math.floor(budget / Math.min(strong.length, count))
    if (strong.length === 1) return budget
    const { share, least } = at === 0 ? best : other
    return Math.floor(Math.max(least, budget * share))
  }
  const read = new Set<Section>()
  const matches: { match: Match; hit: Ranked<Section>; within: (more: Bounds) => Match }[] = []
  let room = budget
  let tokens = maxTokens
  for (const hit of strong) {
    if (matches.length === count || (matches.length > 0 && room < least)) break
    const subtree = subtreeOf(page, hit.item)
    const part = unreadPart(subtree, hit.item, read)
    if (part === undefined) continue
    const within = (bounds: Bounds) =>
      matchIn({ page, subtree, part, query, hit, options, cap, isTitled }, bounds)
    const maxLength = Math.max(1, Math.min(room, shareOf(matches.length)))
    const match = within({ maxLength, maxTokens: tokens })
    room -= match.heading.length + match.markdown.length
    tokens -= match.tokens
    for (const section of part) read.add(section)
    matches.push({ match, hit, within })
  }
  const sections = matches.map(({ match, hit: { item, score, reasons }, within }): SectionMatch => {
    // What others have left is for those that are not whole.
    const { length } = match.markdown
    const more = {
      maxLength: match.heading.length + length + room,
      maxTokens: match.tokens + tokens,
    }
    const grown = match.isWhole || room < 1 ? match : within(more)
    const longer = grown.markdown.length > length ? grown : match
    room -= longer.markdown.length - length
    tokens -= longer.tokens - match.tokens
    const { id, title } = item
    return { id, title: title || page.title, path: pathOf(item, byId), score, reasons, ...longer }
  })
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

/** The sections that match not much less than the best. */
const aboveWeak = (ranked: readonly Ranked<Section>[]): readonly Ranked<Section>[] =>
  ranked.filter(({ score }) => score >= weakShare * (ranked[0]?.score ?? 0))

/** The sections whose title is the query, or its words in another order, or that it names. */
function titledBy(
  page: Page,
  ranked: readonly Ranked<Section>[],
  query: string,
): Ranked<Section>[] {
  const named = namedBy(query)
  const [title, words] = [letters(query), wordsOf(query)]
  const isTitled = (section: Section): boolean => {
    if (section.kind === 'continuation') return false
    if (section.title.trim() === query.trim()) return true
    if (title !== '' && letters(section.title) === title) return true
    const name = named({ heading: section.title, id: section.id })
    return (
      name === 'written' || name === 'spelled' || (words !== '' && wordsOf(section.title) === words)
    )
  }
  const hits = ranked.filter(({ item }) => isTitled(item))
  const found = new Set(hits.map(({ item }) => item))
  // Words that every text has rank nothing.
  const unranked = page.sections.filter((section) => !found.has(section) && isTitled(section))
  return [...hits, ...unranked.map((item) => ({ item, score: 0, reasons: [], terms: [] }))]
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

interface MatchOptions extends Pick<Deps, 'cap'> {
  page: Page
  subtree: readonly Section[]
  /** Those of `subtree` that are read. */
  part: readonly Section[]
  query: string
  hit: Pick<Ranked<Section>, 'terms' | 'item'>
  options: FindOptions
  /** It is read from its start. */
  isTitled: boolean
}

type Match = Omit<SectionMatch, 'id' | 'title' | 'path' | 'score' | 'reasons'>

function matchIn(
  { page, subtree, part, query, hit: { terms, item }, options, cap, isTitled }: MatchOptions,
  bounds: Bounds,
): Match {
  const includesCode =
    options.includeCodeBlocks === true || isInCodeOnly(part, tellingTerms(query, terms))
  const source = createSource(`${page.url}#${item.id}`, part, includesCode)
  const { content, codeBlocksOmitted } = source
  const all = part === subtree ? content : createSource(page.url, subtree, includesCode).content
  const [heading = ''] = /^#{1,6} .*\n+/.exec(content.text) ?? []
  const { markdown, missing, isEnd, nextPage } = isTitled
    ? beginningOf(source, heading, bounds, cap)
    : passagesIn(content.text.slice(heading.length), query, {
        ...bounds,
        maxLength: Math.max(1, bounds.maxLength - heading.length),
      })
  return {
    heading: heading.trim(),
    markdown,
    tokens: estimateTokens(markdown),
    isWhole: isEnd && content.text.length === all.text.length,
    total: all.text.length,
    totalTokens: estimateTokens(all.text),
    codeBlocksOmitted,
    missing,
    includesCode,
    ...(nextPage !== undefined && part === subtree && { nextPage }),
  }
}

interface Shown extends Pick<SectionMatch, 'markdown' | 'missing' | 'nextPage'> {
  isEnd: boolean
}

function beginningOf(source: Source, heading: string, bounds: Bounds, cap: number): Shown {
  const { markdown, nextPage } = readExcerpt(source, bounds, cap, bounds.maxTokens)
  const text = markdown.slice(heading.length)
  return { markdown: text, missing: [], isEnd: nextPage === undefined, nextPage }
}

function passagesIn(text: string, query: string, bounds: Bounds): Shown {
  const { text: markdown, missing, isWhole } = excerptWithin(text, query, bounds)
  return { markdown, missing, isEnd: isWhole }
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
