import { LRUCache } from 'lru-cache'
import { stampOf } from '../access/read-text.ts'
import type { Roots } from '../access/roots.ts'
import { CodeError, type CodeErrorCode } from '../code-error.ts'
import { rankDescribed } from '../describe/rank-symbols.ts'
import type { CodeSymbol, SourceFile } from '../outline/source-file.ts'
import type { SourceFiles } from '../outline/source-files.ts'
import { inTurns } from '../text/in-turns.ts'
import { type Account, addUnparsed } from './account.ts'
import type { CandidateSource, Candidates, Described, Scope } from './candidates.ts'
import { isGlob } from './glob.ts'
import { anyWords, readingsOf, type Words } from './query-words.ts'
import { readFindQuery } from './read-query.ts'
import {
  fileHit,
  hasInName,
  hitOf,
  isNamed,
  isSpelled,
  lineHits,
  matchOf,
  type QueryMatch,
  rankHits,
  type SymbolHit,
  worthOf,
} from './symbol-hit.ts'

/** Where to search for symbols, and how many results to return. */
export interface SearchOptions {
  /** Limits the search to a file, a folder or a glob. */
  path?: string | undefined
  maxResults?: number | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((done: number, total: number) => void) | undefined
}

/** Found symbols, and what the search left out. */
export interface SearchResult extends Account {
  /** Best first. */
  hits: readonly SymbolHit[]
  /** Number of symbols with words of the query. */
  total: number
  match: QueryMatch
  /** The query without a keyword or marks. */
  name: string
  /** Names that contain it and are left out, because those of the hits are it; if counted. */
  otherNames: number | undefined
  /** Files that a description could not be compared with yet. */
  notIndexed?: number
}

interface Limits {
  waitMs: number
  maxFiles?: number | undefined
}

/** Maximum number of cached symbols over all files. */
const maxCached = 400_000
/** The share of the time in which files are searched; the rest is for parsing those with words. */
const searchShare = 0.6

/** At most this many files that have only parts of a name are parsed in one call. */
const maxParsed = 60

/** Of so many files that words describe best, more than the best symbol is shown. */
const fullFiles = 3
const symbolsOfFull = 2

interface ReadSymbols {
  hits: readonly SymbolHit[]
  /** Why the file has no symbols. */
  unparsed?: string | undefined
  isCached?: true
}

/** Searches for symbols whose names or signatures contain words of a query. */
export class SymbolSearch {
  readonly #roots: Roots
  readonly #files: SourceFiles
  readonly #source: CandidateSource
  readonly #limits: Limits
  readonly #cache = new LRUCache<string, ReadSymbols & { stamp: string }>({
    maxSize: maxCached,
    sizeCalculation: ({ hits }) => hits.length + 1,
  })

  constructor(roots: Roots, files: SourceFiles, source: CandidateSource, limits: Limits) {
    this.#roots = roots
    this.#files = files
    this.#source = source
    this.#limits = limits
  }

  async find(text: string, options: SearchOptions = {}): Promise<SearchResult> {
    const { path, maxResults = 20, signal } = options
    const { waitMs, maxFiles } = this.#limits
    const until = performance.now() + waitMs
    const query = readFindQuery(text)
    const scope = { ...(await placeOf(this.#roots, path)), maxFiles, waitMs: waitMs * searchShare }
    const described = /\s/.test(query.text)
      ? await this.#source.describe(query.text, scope, signal)
      : undefined
    if (described && described.files.length > 0)
      return this.#describedSymbols(query.text, described, maxResults)
    const readings = readingsOf(query.text, query.isPart)
    const candidates = await this.#source.candidates(readings, scope, signal)
    const words = readings[candidates.reading]
    const collected = collectHits(query.text, words ?? anyWords)
    const totals = await this.#collect(collected, candidates, until, options)
    const ranked = await rankHits(collected.hits, query, collected.worths)
    const exact = query.isPart ? [] : ranked.filter((hit) => isNamed(hit, query.text))
    const containing = query.isPart ? ranked.filter((hit) => hasInName(hit, query.text)) : ranked
    const hits = exact.length > 0 ? exact : containing
    return {
      ...candidates.account,
      unparsed: totals.unparsed,
      unread: candidates.account.unread + totals.unread,
      hits: hits.slice(0, maxResults),
      total: exact.length > 0 || query.isPart ? hits.length : collected.hits.length,
      match: matchOf(query, words, hits),
      name: query.text,
      otherNames:
        exact.length === 0
          ? 0
          : otherNamesOf(ranked, query.text, words, candidates.otherNames, totals.isEnough),
    }
  }

  /** Collects the symbols of files until others cannot be better, or the time is over. */
  async #collect(
    collected: ReturnType<typeof collectHits>,
    { reading, files, account }: Candidates,
    until: number,
    { maxResults = 20, signal, onProgress }: SearchOptions,
  ) {
    let { unparsed } = account
    let done = 0
    let parsed = 0
    let isEnough = false
    for (const { real, most } of files) {
      signal?.throwIfAborted()
      isEnough = collected.cannotImprove(most, maxResults)
      // Each search reads a file, so that repeating it ends.
      const isOver = done > 0 && performance.now() > until
      if (isEnough || isOver || parsed >= maxParsed) break
      const read = await this.#read(real)
      if (reading > 0 && !read.isCached) parsed++
      await collected.add(read.hits)
      if (read.unparsed !== undefined)
        unparsed = addUnparsed(unparsed, read.unparsed, this.#roots.nameOf(real))
      done++
      onProgress?.(done, files.length)
    }
    return { unparsed, isEnough, unread: isEnough ? 0 : files.length - done }
  }

  /** The best symbols of the files that words describe. */
  async #describedSymbols(
    name: string,
    { files, weights, pending, account }: Described,
    maxResults: number,
  ): Promise<SearchResult> {
    const hits: SymbolHit[] = []
    const verbatim: SymbolHit[] = []
    let { unparsed } = account
    let total = 0
    for (const [rank, real] of files.entries()) {
      let file: SourceFile
      try {
        file = await this.#files.outlined(real, await this.#source.symbolsOf(real))
      } catch (error) {
        if (error instanceof CodeError === false) throw error
        unparsed = addUnparsed(unparsed, reasonOf(error), this.#roots.nameOf(real))
        continue
      }
      verbatim.push(...lineHits(file, name))
      const best = rankDescribed(weights, file.text, file.symbols)
      total += Math.max(1, best.length)
      const most = rank < fullFiles ? symbolsOfFull : 1
      for (const index of best.slice(0, most))
        hits.push(hitOf(file, file.symbols[index] as CodeSymbol))
      if (best.length === 0) hits.push(fileHit(file))
    }
    return {
      ...account,
      unparsed,
      ...(verbatim.length > 0
        ? { hits: verbatim.slice(0, maxResults), total: verbatim.length, match: 'text' }
        : { hits: hits.slice(0, maxResults), total, match: 'description' }),
      name,
      otherNames: 0,
      ...(pending > 0 && { notIndexed: pending }),
    }
  }

  async #read(real: string): Promise<ReadSymbols> {
    const before = await stampOf(real).catch(() => undefined)
    const cached = this.#cache.get(real)
    if (cached && before?.stamp === cached.stamp) return { ...cached, isCached: true }
    const reading = this.#files.outlined(real, await this.#source.symbolsOf(real))
    const read = await reading.then(symbolsOf, (error: unknown) => {
      if (error instanceof CodeError) return { hits: [], unparsed: reasonOf(error) }
      throw error
    })
    if (before && !before.isFresh && read.unparsed === undefined)
      this.#cache.set(real, { stamp: before.stamp, ...read })
    return read
  }
}

/**
 * The number of names that contain that of the query, or are spelled otherwise. An index counts the
 * former; bytes are not always read to the end, and then it is not known.
 */
function otherNamesOf(
  ranked: readonly SymbolHit[],
  text: string,
  words: Words | undefined,
  inIndex: number | undefined,
  isEnough: boolean,
): number | undefined {
  const rest = ranked.filter((hit) => !isNamed(hit, text))
  if (inIndex !== undefined)
    return inIndex + rest.filter((hit) => words && isSpelled(hit, words)).length
  return isEnough ? undefined : rest.filter((hit) => hasInName(hit, text)).length
}

const reasonOf = ({ code }: CodeError): string => reasons[code] ?? 'it could not be read'

/** Why a file with words of the query was not read, by the code of the error. */
const reasons: Partial<Record<CodeErrorCode, string>> = {
  not_text: 'it is binary, or not a file',
  too_large: 'it is too large to read',
  not_found: 'it was deleted',
}

async function symbolsOf(file: SourceFile): Promise<ReadSymbols> {
  const hits: SymbolHit[] = []
  await inTurns(file.symbols, (symbol) => hits.push(hitOf(file, symbol)))
  await inTurns(file.values, (value) => hits.push(hitOf(file, value)))
  return { hits, unparsed: file.unparsed }
}

/** Where to search: everywhere, or in a file, a folder or a glob. */
export async function placeOf(
  roots: Roots,
  path: string | undefined,
): Promise<Pick<Scope, 'within' | 'glob'>> {
  if (path === undefined || path === '' || path === '.') return {}
  return roots.resolve(path).then(
    (within) => ({ within }),
    (error: unknown) => {
      if (isGlob(path)) return { glob: path }
      throw error
    },
  )
}

/** A search ends once it has this many hits that cannot be improved. */
const enough = 20

/** The symbols of a search so far that contain words of its query. */
function collectHits(query: string, words: Words) {
  const hits: SymbolHit[] = []
  const worths: number[] = []
  /** True if a hit has the name of the query and a body. */
  let isFound = false
  return {
    hits,
    worths,
    add: (symbols: readonly SymbolHit[]): Promise<void> =>
      inTurns(symbols, (hit) => {
        const worth = worthOf(hit, words, query)
        if (worth <= 0) return
        hits.push(hit)
        worths.push(worth)
        isFound ||= isNamed(hit, query) && !hit.isDeclaration
      }),
    /** True if files with lines of at most `most` words cannot contain better hits. */
    cannotImprove(most: number, maxResults: number): boolean {
      if (isFound && most < words.count) return true
      return worths.filter((worth) => worth >= most).length >= Math.max(maxResults, enough)
    },
  }
}
