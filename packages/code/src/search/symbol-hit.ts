import { createRanker } from '@pith-mcp/scorer'
import { type ListedSymbol, listedSymbol, symbolFields } from '../outline/signature.ts'
import type { CodeSymbol, SourceFile } from '../outline/source-file.ts'
import { type Words, worthOfWhole } from './query-words.ts'

/** A symbol that a search found. */
export interface SymbolHit extends ListedSymbol {
  /** `path#name path`, the id of its chunk. */
  id: string
  file: string
  /** A declaration without a body. */
  isDeclaration?: true
}

export const hitOf = (file: SourceFile, symbol: CodeSymbol): SymbolHit => ({
  id: `${file.path}#${symbol.path}`,
  file: file.path,
  ...listedSymbol(file, symbol),
  ...(symbol.isDeclaration && { isDeclaration: true }),
})

/** Score of a hit, on the scale of `maxInLine`. */
export const worthOf = (hit: SymbolHit, words: Words, query: string): number =>
  wordsIn(hit, words) + (isNamed(hit, query) ? worthOfWhole : 0)

/** The number of words that its name and signature contain. */
function wordsIn({ path, signature }: SymbolHit, { pattern, count }: Words): number {
  const found = new Set<string>()
  for (const [word] of `${path} ${signature}`.matchAll(pattern)) found.add(word.toLowerCase())
  return Math.min(found.size, count)
}

/** Further hits match unspecific words only and are not ranked. */
const maxRanked = 20_000

/** Best first: exact names, then definitions with a body, then callable symbols. */
export function rankHits(hits: readonly SymbolHit[], query: string): SymbolHit[] {
  const ranker = createRanker(hits.slice(0, maxRanked), {
    fields: [...symbolFields, { name: 'file', text: ({ file }) => file, weight: 0.5 }],
  })
  const found = ranker.rank(query, { limit: hits.length }).map(({ item }) => item)
  // A name of punctuation only has no terms for ranking.
  const isOfSigns = !/[\p{L}\p{N}]/u.test(query)
  const ranked = isOfSigns ? hits.filter(({ path }) => path.includes(query.trim())) : found
  const classOf = (hit: SymbolHit): number =>
    !isNamed(hit, query) ? 3 : hit.isDeclaration ? 2 : callable.has(hit.kind) ? 0 : 1
  return ranked.toSorted((one, other) => classOf(one) - classOf(other))
}

/** Callable kinds rank before others of the same name. */
const callable: ReadonlySet<string> = new Set(['function', 'method', 'constructor', 'accessor'])

/** True if the query is its name, its name path or the end of it. */
export function isNamed({ path }: SymbolHit, query: string): boolean {
  return `/${path.replace(/\[\d+\]$/, '')}`.endsWith(`/${namePath(query.trim())}`)
}

const namePath = (name: string): string => name.replace(/::|[.#]/g, '/')

/**
 * What the query is to the names of the best hits: one of them; a part of them; words, all of which
 * one has; words or parts, of which they have some; or only similar.
 */
export type QueryMatch = 'name' | 'within' | 'words' | 'parts' | 'similar'

/** Hits of which the match is judged. */
const maxJudged = 200

/** `words` are those that were looked for; undefined if no file has any. */
export function matchOf(
  query: string,
  words: Words | undefined,
  hits: readonly SymbolHit[],
): QueryMatch {
  if (!words) return 'similar'
  const judged = hits.slice(0, maxJudged)
  const lower = query.trim().toLowerCase()
  const lowerNames = judged.map((hit) => ({ ...hit, path: hit.path.toLowerCase() }))
  if (lowerNames.some((hit) => isNamed(hit, lower))) return 'name'
  if (!/\s/.test(lower))
    return lowerNames.some(({ path }) => path.includes(namePath(lower))) ? 'within' : 'parts'
  return judged.some((hit) => wordsIn(hit, words) === words.count) ? 'words' : 'parts'
}
