import { createSectionRanker, excerptOf, type Ranked, readQuery, termsOf } from '@pith-mcp/scorer'
import type { Candidate, SearchIndex } from '../search-index/search-index.ts'
import { passagesWith } from '../search-index/section-text.ts'
import { type Repair, repairQuery, type SearchedIndex } from './repair-query.ts'

/** Filters and number of results of a search. */
export interface SearchOptions {
  /** 1–20, default 5. */
  maxResults?: number
  /** Include the headings of each page found. */
  includeHeadings?: boolean
  /** A language tag, for pages in it or in one of its regions. */
  language?: string
  /**
   * Values to filter by, for sources whose own search has filters: `{ product: ['AWS Lambda'] }`.
   */
  filters?: Readonly<Record<string, readonly string[]>>
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
  /** Name of its source. */
  source: string
  /** Kind of the page, as the site names it, or the host of a page that is not on the site. */
  kind?: string
  /** Why the page could not be read; the hit is then what the search of the site returned. */
  problem?: string
  headings?: { id: string; title: string; level: number }[]
  /** Number of headings of the page that `headings` leaves out. */
  headingsOmitted?: number
}

/** A hit with its section and index. */
interface FoundHit extends SearchHit {
  item: Candidate
  index: SearchIndex
}

export interface IndexHits {
  hits: FoundHit[]
  /** Number of pages with a match; a lower bound if `isAll` is false. */
  matchingPages: number
  isAll: boolean
  /** Words that no page has, and the words searched instead. */
  repairs: Repair[]
  /** Words that no page has, and similar words. */
  misses: { word: string; nearest: string[] }[]
}

export const excerptLength = 200
/** Sections that are ranked, per index. */
const maxCandidates = 40
/** Of these, sections that also contain the question words. */
const maxWhole = 10

export const requestedResults = (maxResults = 5): number =>
  Math.min(Math.max(1, Math.floor(maxResults) || 1), 20)

/** The best section of each matching page, over several indexes. */
export async function searchIn(
  indexes: readonly SearchedIndex[],
  query: string,
  { maxResults, language }: SearchOptions,
): Promise<IndexHits> {
  const requested = requestedResults(maxResults)
  const limit = Math.max(maxCandidates, 3 * requested)
  const { texts, repairs, misses } = await repairQuery(indexes, query)
  const owners = new Map<Candidate, SearchedIndex>()
  let isAll = true
  for (const searched of indexes) {
    const found = new Map<string, Candidate>()
    for (const text of texts) {
      const candidates = await candidatesFor(searched.index, text, limit, language)
      if (candidates.length >= limit) isAll = false
      for (const item of candidates) {
        const key = `${item.url}#${item.id} ${item.heading}`
        const known = found.get(key)
        if (known) known.hasAll ||= item.hasAll
        else found.set(key, item)
      }
    }
    for (const item of found.values()) owners.set(item, searched)
  }
  const ranked = await rank([...owners.keys()], indexes, texts)
  const best = new Map<string, RankedReading>()
  for (const hit of ranked) {
    const page = `${owners.get(hit.item)?.name} ${hit.item.url}`
    if (!best.has(page)) best.set(page, hit)
  }
  const hits = [...best.values()].slice(0, requested).flatMap(({ item, score, reasons, text }) => {
    const owner = owners.get(item)
    return owner ? [hitOf(item, owner, text, score, reasons)] : []
  })
  return { hits, matchingPages: best.size, isAll, repairs, misses }
}

function hitOf(
  item: Candidate,
  { name, index }: SearchedIndex,
  query: string,
  score: number,
  reasons: string[],
): FoundHit {
  return {
    url: item.id === '' ? item.url : `${item.url}#${encodeURI(item.id)}`,
    title: item.pageTitle,
    section: item.title,
    path: item.path,
    excerpt: item.isTermsOnly ? '' : excerptOf(item.text, query, excerptLength),
    score,
    reasons,
    source: name,
    item,
    index,
  }
}

/** Words for a form of text, which the section itself need not contain. */
const expectedForms: ReadonlySet<string> = new Set(
  termsOf('example examples sample tutorial guide'),
)

/** Sections with the words of a query. Sections that also contain the optional words come first. */
async function candidatesFor(
  index: SearchIndex,
  text: string,
  limit: number,
  language: string | undefined,
): Promise<Candidate[]> {
  const options = { limit, ...(language !== undefined && { language }) }
  const { terms } = readQuery(text)
  const all = terms.map(({ term }) => term)
  const telling = terms
    .filter(({ term, weight }) => weight === 1 && !expectedForms.has(term))
    .map(({ term }) => term)
  if (telling.length === 0 || telling.length === all.length) return index.candidates(all, options)
  const whole = { ...options, limit: maxWhole, onlyAll: true }
  const first = await index.candidates(all, whole)
  return [...first, ...(await index.candidates(telling, options))]
}

/** Weight of a reading relative to the previous, more likely one. */
const readingWeight = 0.8
/** Weights of a section that contains all words, and of one whose titles contain them. */
const wholeWeight = 1
const namedWeight = 1
/** Weight of a heading that equals the query. */
const titledWeight = 1
/** Weight of the position in the index, which scores the full text. */
const placeWeight = 0.3

/** A hit, and the reading of the query that found it. */
interface RankedReading extends Ranked<Candidate> {
  text: string
}

/** Best first, each section by the reading that matches it best. */
async function rank(
  candidates: readonly Candidate[],
  indexes: readonly SearchedIndex[],
  texts: readonly string[],
): Promise<RankedReading[]> {
  const queries = texts.map((text) => ({ text, terms: readQuery(text).terms }))
  const names = [...new Set(queries.flatMap(({ terms }) => terms.map(({ term }) => term)))]
  const counts = await Promise.all(indexes.map(({ index }) => index.itemsWith(names)))
  const totals = await Promise.all(indexes.map(({ index }) => index.totals()))
  const known = new Map(
    names.map((name, at) => [name, counts.reduce((sum, count) => sum + (count[at] ?? 0), 0)]),
  )
  const requested = new Set(names)
  const size = totals.reduce((sum, { sections }) => sum + sections, 0)
  const ranker = createSectionRanker(candidates, {
    heading: (section) => section.heading,
    text: (section) => passagesWith(section.text, requested),
    id: (section) => section.id,
    path: placeOf,
    page: (section) => section.url,
    collection: { size, itemsWith: (term) => known.get(term) },
  })
  const places = new Map(candidates.map((candidate, at) => [candidate, at]))
  const titles = new Set(texts.map(letters).filter(Boolean))
  const best = new Map<Candidate, { hit: Ranked<Candidate>; text: string; worth: number }>()
  for (const [at, { text, terms }] of queries.entries()) {
    const rarities = new Map(
      terms.map(({ term, weight }) => {
        const having = known.get(term) ?? 0
        return [term, weight * Math.log(2 + size / (1 + having))]
      }),
    )
    for (const hit of ranker.rank(text)) {
      const named = 1 + namedWeight * namedShare(hit.item, rarities) ** 3
      const whole = hit.item.hasAll ? 1 + wholeWeight : 1
      const placed = 1 + placeWeight / (1 + (places.get(hit.item) ?? 0) / 4)
      const titled = titles.has(letters(hit.item.heading)) ? 1 + titledWeight : 1
      const worth = hit.score * named * whole * placed * titled * readingWeight ** at
      // The hit itself is passed on, because its reasons are computed lazily, for shown hits only.
      if (worth > (best.get(hit.item)?.worth ?? 0)) best.set(hit.item, { hit, text, worth })
    }
  }
  return [...best.values()]
    .sort((a, b) => b.worth - a.worth)
    .map(({ hit, text }) => ({
      item: hit.item,
      score: hit.score,
      text,
      get reasons() {
        return hit.reasons
      },
    }))
}

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** Share of the query (0–1) that the titles of a section and its parents contain. */
function namedShare(section: Candidate, rarities: ReadonlyMap<string, number>): number {
  const named = new Set(termsOf(`${section.heading}\n${placeOf(section)}`))
  let matched = 0
  let all = 0
  for (const [term, rarity] of rarities) {
    all += rarity
    if (named.has(term)) matched += rarity
  }
  return all > 0 ? matched / all : 0
}

const placeOf = ({ pageTitle, path }: Candidate): string => [pageTitle, ...path].join(' ')
