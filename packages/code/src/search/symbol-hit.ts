import { isTest } from '../access/roots.ts'
import type { SymbolKind } from '../languages/symbol-kind.ts'
import { rankSymbols, symbolFields } from '../outline/rank-symbols.ts'
import { type ListedSymbol, listedSymbol } from '../outline/signature.ts'
import type { CodeSymbol, SourceFile } from '../outline/source-file.ts'
import { keyOf } from '../text/each-name.ts'
import { filterInTurns, inTurns } from '../text/in-turns.ts'
import { type Words, worthOfWhole } from './query-words.ts'
import { type FindQuery, kindRank } from './read-query.ts'

/** A symbol that a search found. */
export interface SymbolHit extends Omit<ListedSymbol, 'kind'> {
  kind: SymbolKind | 'file'
  /** `path#name path`, the id of its chunk. */
  id: string
  file: string
  /** A declaration without a body. */
  isDeclaration?: true
}

export function hitOf(file: SourceFile, symbol: CodeSymbol): SymbolHit {
  const { path, kind, signature, startLine, endLine } = listedSymbol(file, symbol)
  // Not spread, which takes ten times as long.
  const hit = {
    id: `${file.path}#${path}`,
    file: file.path,
    path,
    kind,
    signature,
    startLine,
    endLine,
  }
  return symbol.isDeclaration ? { ...hit, isDeclaration: true } : hit
}

/** A file as a whole. */
export const fileHit = ({ path, lines }: SourceFile): SymbolHit => ({
  id: path,
  file: path,
  path,
  kind: 'file',
  signature: '',
  startLine: 1,
  endLine: lines.count,
})

/** At most this many lines of a file are looked at. */
const maxLines = 1_000

/** The lines of a file that have a text as it is, in the innermost symbols around them. */
export function lineHits(file: SourceFile, text: string): SymbolHit[] {
  const hits: SymbolHit[] = []
  let last = 0
  let at = file.text.indexOf(text)
  for (; at >= 0 && hits.length < maxLines; at = file.text.indexOf(text, at + text.length)) {
    const line = file.lines.lineAt(at)
    // Within a longer word it is another one.
    if (line === last || isWithinWord(file.text, at, at + text.length)) continue
    last = line
    const around = file.symbols.findLast(({ start, end }) => start <= at && at < end)
    hits.push({
      ...(around ? hitOf(file, around) : fileHit(file)),
      signature: file.lines.text(line).trim().slice(0, maxLineLength),
      startLine: line,
      endLine: line,
    })
  }
  return hits
}

const maxLineLength = 160

const isWithinWord = (text: string, start: number, end: number): boolean =>
  /[\p{L}\p{N}_]{2}/u.test(text.slice(Math.max(0, start - 1), start + 1)) ||
  /[\p{L}\p{N}_]{2}/u.test(text.slice(end - 1, end + 1))

/** Score of a hit, on the scale of `maxInLine`. */
export const worthOf = (hit: SymbolHit, words: Words, query: string): number =>
  Math.max(wordsIn(hit, words), isSpelled(hit, words) ? words.count : 0) +
  (isNamed(hit, query) ? worthOfWhole : 0)

/** True if its name is that of the query in another spelling: `load_all` for `loadAll`. */
const isSpelled = ({ path }: SymbolHit, { names }: Words): boolean =>
  names.length > 0 && keyOf(path.slice(path.lastIndexOf('/') + 1)) === keyOf(names.join(''))

/** The number of words that its name and signature contain. */
function wordsIn({ path, signature }: SymbolHit, { pattern, count }: Words): number {
  const matches = new Set<string>()
  for (const [word] of `${path} ${signature}`.matchAll(pattern)) matches.add(word.toLowerCase())
  return Math.min(matches.size, count)
}

/**
 * Best first: those with the name of the query, outside tests, with a body, of the preferred kind;
 * then the others by their words. `worths` are those of the hits.
 */
export async function rankHits(
  hits: readonly SymbolHit[],
  { text, prefers }: FindQuery,
  worths: readonly number[],
): Promise<SymbolHit[]> {
  // A name of punctuation only has no terms for ranking.
  const isOfSigns = !/[\p{L}\p{N}]/u.test(text)
  const ranked = isOfSigns
    ? await filterInTurns(hits, ({ path }) => path.includes(text))
    : await byWords(hits, text, worths)
  const classes: SymbolHit[][] = []
  await inTurns(ranked, (hit) => {
    const at = isNamed(hit, text)
      ? 3 * asideOf(hit) + (isConstructor(hit) ? 2 : kindRank(hit.kind, prefers))
      : 12 + (kindRank(hit.kind, 'type') >> 1)
    classes[at] ??= []
    classes[at].push(hit)
  })
  // Of one class, what is less nested comes first; others keep the order of their words.
  const byDepth = (hits: SymbolHit[]): SymbolHit[] =>
    hits.sort((a, b) => a.path.split('/').length - b.path.split('/').length)
  return classes.flatMap((hits, at) => (at < 12 ? byDepth(hits) : hits))
}

/** It has the name of its type, which is meant rather. */
const isConstructor = ({ path }: SymbolHit): boolean => /(?:^|\/)([^/]+)\/\1$/.test(path)

/** 0 for a definition with a body outside tests; what is less has a higher number. */
export const asideOf = ({ file, isDeclaration }: SymbolHit): number =>
  (isTest(file) ? 2 : 0) + (isDeclaration ? 1 : 0)

async function byWords(
  hits: readonly SymbolHit[],
  query: string,
  worths: readonly number[],
): Promise<SymbolHit[]> {
  const file = { name: 'file', text: ({ file }: SymbolHit) => file, weight: 0.5 }
  const worthOfHit = (_: SymbolHit, index: number): number => worths[index] as number
  return (await rankSymbols(hits, query, [...symbolFields, file], worthOfHit)).ranked
}

/** True if the query is its name, its name path or the end of it. */
export function isNamed({ path }: SymbolHit, query: string): boolean {
  return `/${path.replace(/\[\d+\]$/, '')}`.endsWith(`/${namePath(query.trim())}`)
}

/** True if its name contains a text, in any case and spelling. */
export const hasInName = ({ path }: SymbolHit, text: string): boolean =>
  keyOf(path.slice(path.lastIndexOf('/') + 1)).includes(keyOf(text))

const namePath = (name: string): string => name.replace(/::|[.#]/g, '/')

/**
 * What the query is to the names of the best hits: one of them; a part of them; words, all of which
 * one has; in their signatures only; words or parts, of which they have some; or only similar;
 * or a description, or a text of lines.
 */
export type QueryMatch =
  | 'name'
  | 'within'
  | 'words'
  | 'signature'
  | 'parts'
  | 'similar'
  | 'description'
  | 'text'

/** Hits of which the match is judged. */
const maxJudged = 200

/** `words` are those that were looked for; undefined if no file has any. */
export function matchOf(
  { text, isPart }: FindQuery,
  words: Words | undefined,
  hits: readonly SymbolHit[],
): QueryMatch {
  if (!words) return 'similar'
  const judged = hits.slice(0, maxJudged)
  const lower = text.toLowerCase()
  const lowerNames = judged.map((hit) => ({ ...hit, path: hit.path.toLowerCase() }))
  if (!isPart && lowerNames.some((hit) => isNamed(hit, lower))) return 'name'
  if (!/\s/.test(lower)) {
    if (lowerNames.some(({ path }) => path.includes(namePath(lower)))) return 'within'
    const isIn = ({ signature }: SymbolHit): boolean => signature.toLowerCase().includes(lower)
    return judged.some(isIn) ? 'signature' : 'parts'
  }
  return judged.some((hit) => wordsIn(hit, words) === words.count) ? 'words' : 'parts'
}
