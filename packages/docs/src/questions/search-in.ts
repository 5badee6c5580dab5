import { createSectionRanker, excerptOf, type Ranked, readQuery, termsOf } from '@pith-mcp/scorer'
import type { Candidate, SearchIndex } from '../search-index/search-index.ts'
import { passagesWith } from '../search-index/section-text.ts'
import { type Repair, repairQuery, type SearchedIndex } from './repair-query.ts'

export interface SearchOptions {
  /** 1–20, default 5. */
  maxResults?: number
  /** Also the headings of each page found. */
  includeHeadings?: boolean
  /** A language tag: pages in it or in one of its regions. */
  language?: string
  /** Values to narrow by, of sources whose own search has them: `{ product: ['AWS Lambda'] }`. */
  filters?: Readonly<Record<string, readonly string[]>>
}

export interface SearchHit {
  /** Accepted by every other call; the fragment names the section. */
  url: string
  title: string
  /** The section that matches best, with the titles around it. */
  section: string
  path: string[]
  /** At most 200 characters: the sentences that say most of what was asked. */
  excerpt: string
  score: number
  reasons: string[]
  /** Of the source that has it. */
  source: string
  headings?: { id: string; title: string; level: number }[]
  /** Headings of the page that `headings` leaves out. */
  headingsOmitted?: number
}

/** A hit, and what it was found by. */
interface FoundHit extends SearchHit {
  item: Candidate
  index: SearchIndex
}

export interface IndexHits {
  hits: FoundHit[]
  /** Pages with at least one match, shown or not; at least so many if `isAll` is false. */
  matchingPages: number
  isAll: boolean
  /** Words that no page has, and what was searched instead. */
  repairs: Repair[]
  /** Words that no page has, and words like them. */
  misses: { word: string; nearest: string[] }[]
}

export const excerptLength = 200
/** Sections that are ranked, of each index. */
const mostCandidates = 40
/** Of them, those that have the words too that only ask. */
const mostWhole = 10

export const resultsWanted = (maxResults = 5): number =>
  Math.min(Math.max(1, Math.floor(maxResults) || 1), 20)

/** The best section of each page that matches, over several indexes. */
export async function searchIn(
  indexes: readonly SearchedIndex[],
  query: string,
  { maxResults, language }: SearchOptions,
): Promise<IndexHits> {
  const wanted = resultsWanted(maxResults)
  const limit = Math.max(mostCandidates, 3 * wanted)
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
  const hits = [...best.values()].slice(0, wanted).flatMap(({ item, score, reasons, text }) => {
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
    excerpt: item.isTerms ? '' : excerptOf(item.text, query, excerptLength),
    score,
    reasons,
    source: name,
    item,
    index,
  }
}

/** What is wanted of a subject, and need not be said by the section that has it. */
const wantedForms: ReadonlySet<string> = new Set(termsOf('example examples sample tutorial guide'))

/**
 * Sections that have the words of a query. Some words only ask, or may: sections that have those too
 * come first, and without them there are others.
 */
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
    .filter(({ term, weight }) => weight === 1 && !wantedForms.has(term))
    .map(({ term }) => term)
  if (telling.length === 0 || telling.length === all.length) return index.candidates(all, options)
  const whole = { ...options, limit: mostWhole, onlyAll: true }
  const first = await index.candidates(all, whole)
  return [...first, ...(await index.candidates(telling, options))]
}

/** What a less likely reading of the query counts of the one before. */
const readingWeight = 0.8
/** What it counts that a section has all of the words, and that its titles say them. */
const wholeWeight = 1
const namedWeight = 1
/** What it counts that the query is its title, letter by letter. */
const titledWeight = 1
/** What it counts how far in front the index has it, which knows all of its text. */
const placeWeight = 0.3

/** A hit, and the reading of the query that it was found by. */
interface RankedReading extends Ranked<Candidate> {
  text: string
}

/** Best first, by the reading of the query that suits a section best. */
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
  const wanted = new Set(names)
  const size = totals.reduce((sum, { sections }) => sum + sections, 0)
  const ranker = createSectionRanker(candidates, {
    heading: (section) => section.heading,
    text: (section) => passagesWith(section.text, wanted),
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
      // A hit is handed on as it is: what words its reasons is asked only for those that are shown.
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

/** The share of a query that the titles say: that of the section and those around it; 0–1. */
function namedShare(section: Candidate, rarities: ReadonlyMap<string, number>): number {
  const named = new Set(termsOf(`${section.heading}\n${placeOf(section)}`))
  let said = 0
  let all = 0
  for (const [term, rarity] of rarities) {
    all += rarity
    if (named.has(term)) said += rarity
  }
  return all > 0 ? said / all : 0
}

const placeOf = ({ pageTitle, path }: Candidate): string => [pageTitle, ...path].join(' ')
