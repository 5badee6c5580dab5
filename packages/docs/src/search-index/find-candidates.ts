import type { CountCache } from './count-cache.ts'
import type { Candidate, CandidateOptions } from './search-index.ts'

/** If the best matches are from fewer pages than this, other pages are searched as well. */
const fewPages = 6
/** About this many matches are scored by a query; only narrower queries follow. */
const maxScored = 8_000
/** At most this many words of a query each get a query of their own. */
const maxLeading = 12

/** Lists of terms; a section matches if it has one of each list. */
export type Groups = readonly (readonly string[])[]

/** A section and its BM25 score; as in FTS5, scores are negative, and lower is better. */
export interface Match {
  id: number
  page: number
  score: number
}

/** How an index finds sections. */
export interface Matcher {
  /** The best sections outside the pages in `full`, at most as many as the limit, best first. */
  matches(groups: Groups, options: CandidateOptions, full: readonly number[]): Promise<Match[]>
  /** Those that still exist, in this order. */
  sections(ids: readonly number[], all: ReadonlySet<number>): Promise<Candidate[]>
}

/** A word of a query with its synonyms, and the number of its sections. */
interface Word {
  terms: readonly string[]
  items: number
}

/**
 * The best sections by BM25. Each word takes part: sections with all words, then for each word, the
 * rarest first, sections with it and any more common one. A word that is too common is combined
 * with the two that follow.
 */
export async function findCandidates(
  matcher: Matcher,
  counts: CountCache,
  words: Groups,
  options: CandidateOptions,
): Promise<Candidate[]> {
  const { limit } = options
  const items = await counts.itemsWith(words.flat())
  const knownWords = words
    .map((terms): Word => ({ terms, items: sum(items.splice(0, terms.length)) }))
    .filter(({ items }) => items > 0)
    .sort((a, b) => a.items - b.items)
  if (knownWords.length === 0) return []
  const scores = new Map<number, number>()
  const all = new Set<number>()
  const every = knownWords.map(({ terms }) => terms)
  for (const { id, score } of await matching(matcher, every, options)) {
    all.add(id)
    scores.set(id, score)
  }
  for (const query of partialQueries(knownWords)) {
    if (query.isLast && scores.size >= limit) break
    for (const { id, score } of await matching(matcher, query.groups, options))
      scores.set(id, Math.min(score, scores.get(id) ?? 0))
  }
  const best = [...scores].sort(([, a], [, b]) => a - b).slice(0, limit)
  return matcher.sections([...new Set([...best.map(([id]) => id), ...all])], all)
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0)

/**
 * Queries for sections with some of the words, which are sorted by rarity. The last ones, for single
 * words, are needed only if the others found too little.
 */
function* partialQueries(words: readonly Word[]): Generator<{ groups: Groups; isLast: boolean }> {
  let budget = maxScored
  const leading = words.slice(0, maxLeading)
  for (const [at, { terms, items }] of leading.entries()) {
    const [next, ...rest] = words.slice(at + 1).map((word) => word.terms)
    if (items <= budget && next) yield { groups: [terms, [next, ...rest].flat()], isLast: false }
    else if (next && rest.length > 1) yield { groups: [terms, next, rest.flat()], isLast: false }
    budget -= Math.min(items, budget)
  }
  budget = maxScored
  for (const [at, { terms, items }] of words.length > 1 ? leading.entries() : []) {
    budget -= items
    if (at === 0 || budget >= 0) yield { groups: [terms], isLast: true }
  }
}

/**
 * Sections, best first by BM25 over their fields. If the best ones are from few pages, the best of
 * the other pages follow, so that one page does not hide the others.
 */
async function matching(
  matcher: Matcher,
  groups: Groups,
  options: CandidateOptions,
): Promise<Match[]> {
  const best = await matcher.matches(groups, options, [])
  if (best.length < options.limit) return best
  const pages = new Set(best.map(({ page }) => page))
  if (pages.size >= fewPages) return best
  return [...best, ...(await matcher.matches(groups, options, [...pages]))]
}
