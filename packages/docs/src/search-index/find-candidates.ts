import type { CountCache } from './count-cache.ts'
import type { Candidate, CandidateOptions } from './search-index.ts'

/** If the best matches are from fewer pages than this, other pages are searched as well. */
const fewPages = 6
/** About this many sections have a rare word of a query; others need three of its common words. */
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
  /**
   * The best sections outside the pages in `full`, at most as many as the limit, best first; or not
   * scored, the oldest first.
   */
  matches(
    groups: Groups,
    options: CandidateOptions,
    full: readonly number[],
    isScored: boolean,
  ): Promise<Match[]>
  /** Those that still exist, in this order. */
  sections(ids: readonly number[], all: ReadonlySet<number>): Promise<Candidate[]>
}

/** A word of a query with its synonyms, and the number of its sections. */
interface Word {
  terms: readonly string[]
  items: number
}

/**
 * The best sections by BM25. Each word takes part: sections with all words; with a rare word and any
 * other; with the two rarest of the common words and any other of them.
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
  const every = knownWords.map(({ terms }) => terms)
  const queries = [...partialQueries(knownWords)]
  const scores = new Map<number, number>()
  const score = async (groups: Groups): Promise<void> => {
    for (const match of await matching(matcher, groups, options))
      scores.set(match.id, Math.min(match.score, scores.get(match.id) ?? 0))
  }
  // Scoring reads every use of each word, and the queries for some words score these sections too.
  const isScored = queries.some(({ isLast }) => !isLast)
  const few = { ...options, limit: limit + 1 }
  const withAll = isScored ? await matcher.matches(every, few, [], false) : []
  const isMany = !isScored || withAll.length > limit
  if (isMany) await score(every)
  const all = new Set(isMany ? scores.keys() : withAll.map(({ id }) => id))
  for (const { groups, isLast } of queries) {
    if (isLast && scores.size >= limit) break
    await score(groups)
  }
  const best = [...scores].sort(([, a], [, b]) => a - b).slice(0, limit)
  return matcher.sections([...new Set([...best.map(([id]) => id), ...all])], all)
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0)

/**
 * Queries for sections with some of the words, which are sorted by rarity. Each reads every use of its
 * words, so the common words are in as few as possible: one with the rare words, and one of their
 * own. The last ones are needed only if the others found too little.
 */
function* partialQueries(words: readonly Word[]): Generator<{ groups: Groups; isLast: boolean }> {
  const every = words.map(({ terms }) => terms)
  const leading = words.slice(0, maxLeading)
  let budget = maxScored
  const rare: (readonly string[])[] = []
  for (const { terms, items } of leading) {
    budget -= items
    if (budget >= 0) rare.push(terms)
  }
  const common = every.slice(rare.length)
  if (rare.length > 0 && common.length > 0)
    yield { groups: [rare.flat(), common.flat()], isLast: false }
  for (const [at, terms] of rare.slice(0, -1).entries())
    yield { groups: [terms, rare.slice(at + 1).flat()], isLast: false }
  for (let at = 0; at + 3 < common.length && at < maxLeading; at++) {
    const [first = [], second = [], ...rest] = common.slice(at)
    yield { groups: [first, second, rest.flat()], isLast: at > 0 }
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
  const best = await matcher.matches(groups, options, [], true)
  if (best.length < options.limit) return best
  const pages = new Set(best.map(({ page }) => page))
  if (pages.size >= fewPages) return best
  return [...best, ...(await matcher.matches(groups, options, [...pages], true))]
}
