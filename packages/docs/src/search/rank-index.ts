import { excerptOf, type Meaning, type Tuning } from '@pith-mcp/scorer'
import type { CallOptions } from '../protocol/call-options.ts'
import type { Candidate, IndexedPage, SearchIndex } from '../search-index/search-index.ts'
import { fuseRankings } from './fuse-rankings.ts'
import { type Ranking, rankQuery } from './rank-query.ts'
import { type OwnedSection, weakShare } from './rank-sections.ts'
import type { RepairedQuery, SearchedIndex } from './repair-query.ts'
import { type MatchingSection, type ShownSection, withoutTitle } from './show-sections.ts'

/** Filters and number of results of a search. */
export interface SearchOptions {
  /** Pages, 1–20, default 5. */
  maxResults?: number | undefined
  /** Estimated tokens of the sections that are shown, 100–3,000, default 600. */
  maxTokens?: number | undefined
  /**
   * Pages that are read because the search of a site names no section of them; default all. The
   * others stay as it returned them, unless headings are included.
   */
  maxRead?: number | undefined
  /** Include the headings of each page found. */
  includeHeadings?: boolean | undefined
  /** A language tag, for pages in it or in one of its regions. */
  language?: string | undefined
  /**
   * Values to filter by, for sources whose own search has filters: `{ product: ['AWS Lambda'] }`.
   */
  filters?: Readonly<Record<string, readonly string[]>> | undefined
}

/** The best section of one page, with an excerpt. */
export interface SearchHit {
  /** Accepted by every other call; the fragment names the section. */
  url: string
  title: string
  /** The best matching section, and the titles around it. */
  section: string
  path: string[]
  /** At most 200 characters: the sentences that match the query best. */
  excerpt: string
  score: number
  reasons: string[]
  /** The sections of the page that match best, the best one first. */
  sections: ShownSection[]
  /** Name of its source. */
  source: string
  /** The version of the documentation, as its address states it. */
  version?: string
  /** Kind of the page, as the site names it, or the host of a page that is not on the site. */
  kind?: string
  /** Why the page could not be read; the hit is then what the search of the site returned. */
  problem?: string
  headings?: IndexedPage['headings']
  /** Number of headings of the page that `headings` leaves out. */
  headingsOmitted?: number
}

/** A hit with its section and index. */
interface FoundHit extends Omit<SearchHit, 'sections' | 'excerpt'> {
  item: Candidate
  index: SearchIndex
  /** Of the page, the best one first. */
  matching: MatchingSection[]
  excerpt: () => string
}

export interface IndexHits extends Pick<RepairedQuery, 'repairs' | 'misses'> {
  hits: FoundHit[]
  /** Score of the first hit relative to that of the second; at most `maxLead` without a second. */
  lead: number
  /** The best pages of each index that were listed but not read, best first. */
  unread: Map<SearchIndex, string[]>
  /** Number of pages and sections that match; lower bounds if `isAll` is false. */
  matchingPages: number
  matchingSections: number
  isAll: boolean
}

export const excerptLength = 200
/** Sections that are ranked, per index. */
const maxCandidates = 40
/** `lead` of an only hit. */
const maxLead = 10

export const requestedResults = (maxResults = 5): number =>
  Math.min(Math.max(1, Math.floor(maxResults) || 1), 20)

export const requestedTokens = (maxTokens = 600): number =>
  Math.min(Math.max(100, Math.floor(maxTokens) || 100), 3_000)

/** The best pages must have been read before they are returned, as far as time allows. */
const bestPages = 12

interface IndexSearchOptions extends SearchOptions, Pick<CallOptions, 'signal'> {
  byMeaning?: Meaning | undefined
  repairs?: boolean
  /** Replaces weights of the ranker, to measure them. */
  tuning?: Partial<Tuning> | undefined
}

/**
 * The best sections of each matching page, over several indexes, for one or more wordings of a
 * question. While pages are unread, a word that no page has may be in one of them, so it is replaced
 * only if `repairs` is true.
 */
export async function rankIndex(
  indexes: readonly SearchedIndex[],
  queries: readonly string[],
  { repairs = true, ...options }: IndexSearchOptions,
): Promise<IndexHits> {
  const requested = requestedResults(options.maxResults)
  const limit = Math.max(maxCandidates, 3 * requested)
  const rankings: Ranking[] = []
  for (const query of queries)
    rankings.push(await rankQuery(indexes, query, { ...options, limit, repairs }))
  const lead = leadOf(rankings)
  const [alone] = rankings.length === 1 ? rankings : []
  const sections = alone
    ? alone.sections
    : fuseRankings(
        rankings.map(({ sections }) => sections),
        (section) => `${pageKey(section)} ${section.item.row}`,
      ).map(({ item, score }) => Object.assign(item, { score }))
  const pages = new Map<string, OwnedSection[]>()
  for (const section of sections) {
    const page = pageKey(section)
    const ofPage = pages.get(page)
    if (ofPage) ofPage.push(section)
    else pages.set(page, [section])
  }
  const places = new Map(sections.map((section, place) => [section, place]))
  const words = rankings.map(({ repaired: { text, beginnings } }) =>
    [text, ...beginnings.values()].flat().join(' '),
  )
  const best = [...pages.values()]
  const least = weakShare * (sections[0]?.score ?? 0)
  const unread = new Map<SearchIndex, string[]>(indexes.map(({ index }) => [index, []]))
  for (const [first] of best.slice(0, bestPages))
    if (first?.item.isProposed) unread.get(first.owner.index)?.push(first.item.url)
  return {
    hits: best
      .slice(0, requested)
      .map((ofPage) => hitOf(ofPage as [OwnedSection], { places, query: words.join('\n'), least })),
    lead,
    matchingPages: best.length,
    matchingSections: sections.length,
    isAll: rankings.every(({ isAll }) => isAll),
    repairs: distinct(rankings.flatMap(({ repaired }) => repaired.repairs)),
    misses: distinct(rankings.flatMap(({ repaired }) => repaired.misses)),
    unread,
  }
}

/** Each word once. */
const distinct = <T extends { word: string }>(all: readonly T[]): T[] => [
  ...new Map(all.map((entry) => [entry.word, entry])).values(),
]

const pageKey = ({ owner, item }: OwnedSection): string => `${owner.name} ${item.url}`

/** How far the best page is ahead; 1 if wordings find different ones. */
function leadOf(rankings: readonly Ranking[]): number {
  const firsts = rankings.map(
    ({ sections: [first] }) => first && `${pageKey(first)}#${first.item.id}`,
  )
  if (new Set(firsts).size !== 1 || firsts[0] === undefined) return 1
  const leads = rankings.map(({ sections: [first, ...lower] }) => {
    if (first === undefined) return 1
    const second = lower.find((section) => pageKey(section) !== pageKey(first))
    return second ? first.score / second.score : maxLead
  })
  return Math.min(...leads)
}

/** The hit of a page: its best section, and all that match. */
function hitOf(
  ofPage: readonly [OwnedSection, ...OwnedSection[]],
  {
    places,
    query,
    least,
  }: { places: ReadonlyMap<OwnedSection, number>; query: string; least: number },
): FoundHit {
  const [best] = ofPage
  const { item, score, reasons, owner } = best
  const parts = ofPage.filter((section) => section.item.id === item.id)
  const excerpt = () =>
    excerptOf(
      parts
        .sort((a, b) => a.item.row - b.item.row)
        .map((part) => withoutTitle(part.item.title, part.item.text))
        .join('\n'),
      query,
      excerptLength,
    )
  const sections = new Map<string, MatchingSection>()
  for (const section of ofPage) {
    if (section.score < least) break
    const { id, title, path, tokens, isProposed } = section.item
    if (sections.has(id)) continue
    const text = () => owner.index.sectionText(section.item)
    const place = places.get(section) ?? 0
    sections.set(id, { id, title, path, place, ...(!isProposed && { tokens, text }) })
  }
  return {
    url: item.id === '' ? item.url : `${item.url}#${encodeURI(item.id)}`,
    title: item.pageTitle,
    section: item.title,
    path: item.path,
    excerpt: () => (item.isProposed ? '' : excerpt()),
    score,
    reasons,
    source: owner.name,
    item,
    index: owner.index,
    matching: [...sections.values()],
  }
}
