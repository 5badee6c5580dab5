import {
  excerptOf,
  type Meaning,
  readQuery,
  synonymsOf,
  type Tuning,
  termsOf,
} from '@pith-mcp/scorer'
import { letters } from '#base/letters'
import type { CallOptions } from '../protocol/call-options.ts'
import type { Candidate, IndexedPage, SearchIndex } from '../search-index/search-index.ts'
import { rankByMeaning } from './rank-by-meaning.ts'
import { type RankedSection, rankSections } from './rank-sections.ts'
import {
  type RepairedQuery,
  repairQuery,
  type SearchedIndex,
  withoutCorrections,
} from './repair-query.ts'

/** Filters and number of results of a search. */
export interface SearchOptions {
  /** 1–20, default 5. */
  maxResults?: number | undefined
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
  /** Other sections of the page that match nearly as well, at most three. */
  near: { id: string; title: string }[]
  /** Name of its source. */
  source: string
  /** Kind of the page, as the site names it, or the host of a page that is not on the site. */
  kind?: string
  /** Why the page could not be read; the hit is then what the search of the site returned. */
  problem?: string
  headings?: IndexedPage['headings']
  /** Number of headings of the page that `headings` leaves out. */
  headingsOmitted?: number
}

/** A hit with its section and index. */
interface FoundHit extends SearchHit {
  item: Candidate
  index: SearchIndex
}

export interface IndexHits extends Pick<RepairedQuery, 'repairs' | 'misses'> {
  hits: FoundHit[]
  /** Score of the first hit relative to that of the second; at most `maxLead` without a second. */
  lead: number
  /** The best pages of each index that were listed but not read, best first. */
  unread: Map<SearchIndex, string[]>
  /** Number of pages with a match; a lower bound if `isAll` is false. */
  matchingPages: number
  isAll: boolean
}

export const excerptLength = 200
/** Sections that are ranked, per index. */
const maxCandidates = 40
/** Sections named next to the best one of a page. */
const maxNear = 3
/** `lead` of an only hit. */
const maxLead = 10
/** A section with this share of the score of the best one of its page is named. */
const nearShare = 0.6

export const requestedResults = (maxResults = 5): number =>
  Math.min(Math.max(1, Math.floor(maxResults) || 1), 20)

/** The best pages must have been read before they are returned, as far as time allows. */
const bestPages = 12

interface IndexSearchOptions extends SearchOptions, Pick<CallOptions, 'signal'> {
  byMeaning?: Meaning | undefined
  repairs?: boolean
  /** Replaces weights of the ranker, to measure them. */
  tuning?: Partial<Tuning> | undefined
}

/**
 * The best section of each matching page, over several indexes. While pages are unread, a word that
 * no page has may be in one of them, so it is replaced only if `repairs` is true.
 */
export async function searchIn(
  indexes: readonly SearchedIndex[],
  query: string,
  options: IndexSearchOptions,
): Promise<IndexHits> {
  const { language, repairs: isRepaired = true, tuning, byMeaning, signal } = options
  const requested = requestedResults(options.maxResults)
  const limit = Math.max(maxCandidates, 3 * requested)
  const { owners, isAll, repaired } = await findRepaired(indexes, query, {
    isRepaired,
    limit,
    language,
  })
  const { text, repairs, misses, beginnings } = repaired
  const byWords = withoutCopies(
    await rankSections([...owners.keys()], indexes, repaired, tuning),
    owners,
  )
  const ranked = byMeaning
    ? await rankByMeaning(byWords, query, ({ item }) => owners.get(item)?.index, byMeaning, signal)
    : byWords
  const pages = new Map<string, [RankedSection, ...RankedSection[]]>()
  for (const hit of ranked) {
    const page = `${owners.get(hit.item)?.name} ${hit.item.url}`
    const pageHits = pages.get(page)
    if (pageHits) pageHits.push(hit)
    else pages.set(page, [hit])
  }
  const best = [...pages.values()]
  const [[first] = [], [second] = []] = best
  const hits = best.slice(0, requested).flatMap((pageHits) => {
    const owner = owners.get(pageHits[0].item)
    return owner ? [hitOf(pageHits, owner, [text, ...beginnings.values()].flat().join(' '))] : []
  })
  const unread = new Map<SearchIndex, string[]>(indexes.map(({ index }) => [index, []]))
  for (const [{ item }] of best.slice(0, bestPages)) {
    const { index } = owners.get(item) ?? {}
    if (index && item.isProposed) unread.get(index)?.push(item.url)
  }
  const lead = first ? first.score / (second?.score ?? first.score / maxLead) : 1
  return { hits, lead, matchingPages: best.length, isAll, repairs, misses, unread }
}

interface Found {
  owners: Map<Candidate, SearchedIndex>
  isAll: boolean
  repaired: RepairedQuery
}

/**
 * Sections for a query. A corrected word is used only if a section then has all words, or if there
 * is no other significant word; otherwise it is left out.
 */
async function findRepaired(
  indexes: readonly SearchedIndex[],
  query: string,
  options: { isRepaired: boolean; limit: number; language: string | undefined },
): Promise<Found> {
  const literal: RepairedQuery = { text: query, repairs: [], misses: [], beginnings: new Map() }
  const repaired = options.isRepaired ? await repairQuery(indexes, query) : literal
  const attempt = await findSections(indexes, repaired, options)
  const used = repaired.repairs.flatMap(({ used = '…' }) => (used.endsWith('…') ? [] : [used]))
  if (used.length === 0) return attempt
  for (const [item, { index }] of attempt.owners) {
    if (!item.hasAll) continue
    const counts = await index.itemsWith(used.map((word) => termsOf(word)[0] ?? ''))
    if (counts.every((count) => count > 0)) return attempt
  }
  const without = await findSections(indexes, withoutCorrections(query, repaired), options)
  return without.owners.size > 0 ? without : attempt
}

async function findSections(
  indexes: readonly SearchedIndex[],
  repaired: RepairedQuery,
  { limit, language }: { limit: number; language: string | undefined },
): Promise<Found> {
  const owners: Found['owners'] = new Map()
  let isAll = true
  for (const searched of indexes) {
    const candidates = await candidatesFor(searched.index, repaired, limit, language)
    if (candidates.length >= limit) isAll = false
    for (const item of candidates) owners.set(item, searched)
  }
  return { owners, isAll, repaired }
}

/** The hit of a page: its best section, with the others that match. */
function hitOf(
  [best, ...otherSections]: readonly [RankedSection, ...RankedSection[]],
  { name, index }: SearchedIndex,
  query: string,
): FoundHit {
  const { item, score, reasons } = best
  const isSame = (hit: RankedSection): boolean => hit.item.id === item.id
  const parts = [best, ...otherSections.filter(isSame)].sort((a, b) => a.item.row - b.item.row)
  const nearSections = new Map(
    otherSections
      .filter((hit) => !isSame(hit) && hit.item.id !== '' && hit.score >= nearShare * score)
      .map(({ item: { id, title } }) => [id, { id, title }]),
  )
  return {
    url: item.id === '' ? item.url : `${item.url}#${encodeURI(item.id)}`,
    title: item.pageTitle,
    section: item.title,
    path: item.path,
    excerpt: item.isProposed
      ? ''
      : excerptOf(parts.map((part) => withoutTitle(part.item)).join('\n'), query, excerptLength),
    score,
    reasons,
    near: [...nearSections.values()].slice(0, maxNear),
    source: name,
    item,
    index,
  }
}

/** The text without a first line that only repeats the title, as a signature does. */
function withoutTitle({ title, text }: Candidate): string {
  const end = text.indexOf('\n')
  const isRepeated = end > 0 && letters(text.slice(0, end)).includes(letters(title))
  return isRepeated && end <= title.length + maxDecoration ? text.slice(end + 1) : text
}

/** Characters that a repeated title may have around it: marks, a keyword, a link. */
const maxDecoration = 24

/** In characters; shorter texts are often equal by chance. */
const minCopyLength = 30

/**
 * Of sections of a source with the same text, the one on the page with the fewest sections: others
 * are pages that contain whole pages, such as `print.html`.
 */
function withoutCopies(
  ranked: readonly RankedSection[],
  owners: ReadonlyMap<Candidate, SearchedIndex>,
): RankedSection[] {
  const hits = new Map<unknown, RankedSection>()
  for (const hit of ranked) {
    const { text, heading, pageSections } = hit.item
    const copy = `${owners.get(hit.item)?.name}\n${heading.replace(/^[\d.]+\s+/, '')}\n${text}`
    const key = text.length < minCopyLength ? hit.item : copy
    const best = hits.get(key)
    if (!best) hits.set(key, hit)
    else if (pageSections < best.item.pageSections) hits.set(key, { ...hit, score: best.score })
  }
  return [...hits.values()]
}

/** In larger indexes, synonyms find no candidates: common words take long to count and score. */
const maxWithSynonyms = 100_000

/** Sections with the significant words of a query or their synonyms; with all words if none is. */
async function candidatesFor(
  index: SearchIndex,
  { text, beginnings }: RepairedQuery,
  limit: number,
  language: string | undefined,
): Promise<Candidate[]> {
  const { terms } = readQuery(text)
  const telling = terms.filter(({ weight }) => weight === 1)
  const isSmall = (await index.totals()).sections <= maxWithSynonyms
  const words = (telling.length > 0 ? telling : terms).map(({ term, folded = term }) => {
    const synonyms = isSmall ? synonymsOf(term).keys() : []
    return [...new Set([term, folded, ...(beginnings.get(term) ?? []), ...synonyms])]
  })
  return index.candidates(words, { limit, language })
}
