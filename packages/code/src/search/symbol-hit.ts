import { createRanker } from '@pith-mcp/scorer'
import { firstLines } from '../outline/signature.ts'
import type { SourceFile } from '../outline/source-file.ts'
import type { CodeSymbol } from '../outline/symbols.ts'
import { type Words, worthOfWhole } from './query-words.ts'

/** A symbol that a search found. Lines are of the file, from 1. */
export interface SymbolHit {
  /** `path#name path`, as a chunk is asked for. */
  id: string
  file: string
  path: string
  kind: CodeSymbol['kind']
  signature: string
  startLine: number
  endLine: number
  /** It is only declared, without a body. */
  isDeclaration?: true
}

export function hitOf({ path, lines, text }: SourceFile, symbol: CodeSymbol): SymbolHit {
  return {
    id: `${path}#${symbol.path}`,
    file: path,
    path: symbol.path,
    kind: symbol.kind,
    signature: firstLines(text, symbol),
    startLine: lines.lineAt(symbol.start),
    endLine: lines.lineAt(Math.max(symbol.start, symbol.end - 1)),
    ...(symbol.isDeclaration && { isDeclaration: true }),
  }
}

/** As a line is worth that promises it. */
export const worthOf = (hit: SymbolHit, words: Words, query: string): number =>
  wordsIn(hit, words) + (isNamed(hit, query) ? worthOfWhole : 0)

/** How many of the words its name and signature have. */
export function wordsIn({ path, signature }: SymbolHit, { pattern, count }: Words): number {
  const found = new Set<string>()
  for (const [word] of `${path} ${signature}`.matchAll(pattern)) found.add(word.toLowerCase())
  return Math.min(found.size, count)
}

/** More have only words that say little. */
const mostRanked = 20_000

/** Best first: what is called so, that with a body, that which can be called before others. */
export function rankHits(hits: readonly SymbolHit[], query: string): SymbolHit[] {
  const ranker = createRanker(hits.slice(0, mostRanked), {
    fields: [
      { name: 'name', text: ({ path }) => path.slice(path.lastIndexOf('/') + 1), weight: 6 },
      { name: 'name path', text: ({ path }) => path.replaceAll('/', ' '), weight: 3 },
      { name: 'signature', text: ({ signature }) => signature, weight: 1 },
      { name: 'file', text: ({ file }) => file, weight: 0.5 },
    ],
  })
  const found = ranker.rank(query, { limit: hits.length }).map(({ item }) => item)
  // A name of signs alone has no terms to rank by.
  const isOfSigns = !/[\p{L}\p{N}]/u.test(query)
  const ranked = isOfSigns ? hits.filter(({ path }) => path.includes(query.trim())) : found
  const classOf = (hit: SymbolHit): number =>
    !isNamed(hit, query) ? 3 : hit.isDeclaration ? 2 : callable.has(hit.kind) ? 0 : 1
  return ranked.toSorted((one, other) => classOf(one) - classOf(other))
}

/** Of things of one name, what can be called is looked for. */
const callable: ReadonlySet<string> = new Set(['function', 'method', 'constructor', 'accessor'])

/** Whether the query is its name or name path, or the end of that. */
export function isNamed({ path }: SymbolHit, query: string): boolean {
  const wanted = query.trim().replace(/::|[.#]/g, '/')
  return `/${path.replace(/\[\d+\]$/, '')}`.endsWith(`/${wanted}`)
}
