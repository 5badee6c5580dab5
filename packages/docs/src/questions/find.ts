import { type Page, type Section, subtreeOf } from '@pith-mcp/cleaner'
import { resolveLength } from '@pith-mcp/paginator'
import type { Ranked } from '@pith-mcp/scorer'
import { letters } from '#base/letters'
import { maxTokens, type ReadOptions } from '../excerpt/excerpt.ts'
import type { Bounds } from '../excerpt/passages.ts'
import type { Origin } from '../protocol/origin.ts'
import { checkQuery } from '../search/check-query.ts'
import { rankPage } from '../search/rank-page.ts'
import { weakShare } from '../search/rank-sections.ts'
import { namedBy, wordsOf } from '../search/score-by-name.ts'
import { pathOf } from '../search-index/section-text.ts'
import { recordRead } from '../section/changes.ts'
import { openPage } from '../section/open-page.ts'
import type { Deps } from './deps.ts'
import { type Match, type MatchOptions, matchIn, type SectionMatch } from './match-section.ts'

/** Bounds of a search in one page. */
export interface FindOptions extends Pick<ReadOptions, 'includeCodeBlocks'> {
  /** 1–10, default 6. */
  maxSections?: number | undefined
  /** Characters of all sections; 0: as many as allowed; absent or negative: 3,000. */
  maxLength?: number | undefined
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
 * characters or two thirds of it, others up to half as many, one alone all, and what is left goes to
 * those that are cut, the best first. A section comes with its subsections, and without those that come
 * by themselves. Sections whose title is the query, or that it names, are read from their start, alone.
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
  const { matches, read } = fill(strong, {
    page,
    query,
    isTitled,
    count,
    budget,
    includesCode: options.includeCodeBlocks === true,
    cap,
  })
  const sections = matches.map(({ match, hit: { item, score, reasons } }): SectionMatch => {
    const { id, title } = item
    return { id, title: title || page.title, path: pathOf(item, byId), score, reasons, ...match }
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

interface Filling extends Omit<MatchOptions, 'subtree' | 'part' | 'hit'> {
  /** At most this many sections. */
  count: number
  /** In characters. */
  budget: number
}

interface Filled {
  match: Match
  hit: Ranked<Section>
  within: (bounds: Bounds) => Match
}

/** The matches that fit into the budget, each of its share; what is left is for those that are cut. */
function fill(
  strong: readonly Ranked<Section>[],
  filling: Filling,
): { matches: Filled[]; read: Set<Section> } {
  const { page, isTitled, count, budget } = filling
  const least = Math.min(minLength, budget / 4)
  const read = new Set<Section>()
  const matches: Filled[] = []
  let room = budget
  let tokens = maxTokens
  for (const hit of strong) {
    if (matches.length === count || (matches.length > 0 && room < least)) break
    const subtree = subtreeOf(page, hit.item)
    const part = unreadPart(subtree, hit.item, read)
    if (part === undefined) continue
    const within = (bounds: Bounds) => matchIn({ ...filling, subtree, part, hit }, bounds)
    const share = shareOf(matches.length, Math.min(strong.length, count), budget, isTitled)
    const maxLength = Math.max(1, Math.min(room, share))
    const match = within({ maxLength, maxTokens: tokens })
    room -= match.heading.length + match.markdown.length
    tokens -= match.tokens
    for (const section of part) read.add(section)
    matches.push({ match, hit, within })
  }
  for (const filled of matches) {
    const { match, within } = filled
    if (match.isWhole || room < 1) continue
    const { length } = match.markdown
    const maxLength = match.heading.length + length + room
    const grown = within({ maxLength, maxTokens: match.tokens + tokens })
    if (grown.markdown.length <= length) continue
    room -= grown.markdown.length - length
    tokens -= grown.tokens - match.tokens
    filled.match = grown
  }
  return { matches, read }
}

/** The characters of the match at a place among all. */
function shareOf(at: number, all: number, budget: number, isTitled: boolean): number {
  if (isTitled) return Math.floor(budget / all)
  if (all === 1) return budget
  const { share, least } = at === 0 ? best : other
  return Math.floor(Math.max(least, budget * share))
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

/** What ended the list of sections. A budget near the cap cannot be raised by a section. */
function boundOf(shownCount: number, count: number, budget: number, cap: number) {
  if (shownCount === count) return count < maxSections ? 'maxSections' : 'reply'
  return cap - budget >= 2 * minLength ? 'maxLength' : 'reply'
}
