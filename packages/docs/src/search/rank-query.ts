import { type Meaning, readQuery, synonymsOf, type Tuning, termsOf } from '@pith-mcp/scorer'
import type { Candidate, SearchIndex } from '../search-index/search-index.ts'
import { rankByMeaning } from './rank-by-meaning.ts'
import { type OwnedSection, rankSections } from './rank-sections.ts'
import {
  type RepairedQuery,
  repairQuery,
  type SearchedIndex,
  withoutCorrections,
} from './repair-query.ts'

export interface RankOptions {
  /** Sections that are ranked, per index. */
  limit: number
  language?: string | undefined
  byMeaning?: Meaning | undefined
  /** Words that no page has are replaced. */
  repairs: boolean
  /** Replaces weights of the ranker, to measure them. */
  tuning?: Partial<Tuning> | undefined
  signal?: AbortSignal | undefined
}

/** The sections for a query, best first. */
export interface Ranking {
  sections: OwnedSection[]
  isAll: boolean
  repaired: RepairedQuery
}

/** Rank the sections of several indexes for one query. */
export async function rankQuery(
  indexes: readonly SearchedIndex[],
  query: string,
  options: RankOptions,
): Promise<Ranking> {
  const { tuning, byMeaning, signal } = options
  const { owners, isAll, repaired } = await findRepaired(indexes, query, options)
  const ranked = await rankSections([...owners.keys()], indexes, repaired, tuning)
  const byWords = withoutCopies(
    ranked.flatMap((section) => {
      const owner = owners.get(section.item)
      return owner ? [Object.assign(section, { owner })] : []
    }),
  )
  const sections = byMeaning ? await rankByMeaning(byWords, query, byMeaning, signal) : byWords
  return { sections, isAll, repaired }
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
  options: RankOptions,
): Promise<Found> {
  const literal: RepairedQuery = { text: query, repairs: [], misses: [], beginnings: new Map() }
  const repaired = options.repairs ? await repairQuery(indexes, query) : literal
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
  { limit, language }: RankOptions,
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

/** In characters; shorter texts are often equal by chance. */
const minCopyLength = 30

/**
 * Of sections of a source with the same text, the one on the page with the fewest sections: others
 * are pages that contain whole pages, such as `print.html`.
 */
function withoutCopies(ranked: readonly OwnedSection[]): OwnedSection[] {
  const hits = new Map<unknown, OwnedSection>()
  for (const hit of ranked) {
    const { text, heading, pageSections } = hit.item
    const copy = `${hit.owner.name}\n${heading.replace(/^[\d.]+\s+/, '')}\n${text}`
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
