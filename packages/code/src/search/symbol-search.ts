import { LRUCache } from 'lru-cache'
import { createWorkLimit } from '#base/processor-time'
import { stampOf } from '../access/read-text.ts'
import type { Roots } from '../access/roots.ts'
import { isTest } from '../access/roots.ts'
import { CodeError, type CodeErrorCode } from '../code-error.ts'
import { rankDescribed } from '../describe/rank-symbols.ts'
import type { CodeSymbol, SourceFile } from '../outline/source-file.ts'
import type { SourceFiles } from '../outline/source-files.ts'
import { inTurns } from '../text/in-turns.ts'
import { type Account, addUnparsed } from './account.ts'
import type { CandidateSource, Candidates, Scope } from './candidates.ts'
import { type CollectedHits, collectHits } from './collect-hits.ts'
import { isGlob } from './glob.ts'
import { anyWords, readingsOf } from './query-words.ts'
import { readFindQuery } from './read-query.ts'
import {
  fileHit,
  hasInName,
  hitOf,
  isNamed,
  lineHits,
  matchOf,
  type QueryMatch,
  rankHits,
  type SymbolHit,
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
  /** Files with the text whose lines were not looked at. */
  filesLeft?: number
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

/** Lines with a text that are shown, and files in which they are counted. */
const maxTextLines = 10
const maxTextFiles = 50
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
    const isLate = createWorkLimit(waitMs)
    const query = readFindQuery(text)
    const scope = { ...(await placeOf(this.#roots, path)), maxFiles, waitMs: waitMs * searchShare }
    const found =
      (isLiteral(query.text) ? await this.#textLines(query.text, scope, options) : undefined) ??
      (/\s/.test(query.text) ? await this.#describedSymbols(query.text, scope, options) : undefined)
    if (found) return found
    const readings = readingsOf(query.text, query.isPart)
    const candidates = await this.#source.candidates(readings, scope, signal)
    const words = readings[candidates.reading]
    const collected = collectHits(query.text, words ?? anyWords)
    const totals = await this.#collect(collected, candidates, isLate, options)
    const ranked = await rankHits(collected.hits, query, collected.worths)
    const exact = query.isPart ? [] : ranked.filter((hit) => isNamed(hit, query.text))
    const containing = query.isPart ? ranked.filter((hit) => hasInName(hit, query.text)) : ranked
    const hits = exact.length > 0 ? exact : containing
    const match = matchOf(query, words, hits)
    // What nothing is named may be a key, a variable of the environment, or in a message.
    const isWord = !query.isPart && (hits.length === 0 || !/\s/.test(query.text))
    const lines =
      isWord && match !== 'name' ? await this.#textLines(query.text, scope, options) : undefined
    const unread = candidates.account.unread + totals.unread
    // Files whose names were not looked at may define it.
    if (lines) return { ...lines, unread: Math.max(lines.unread, unread) }
    return {
      ...candidates.account,
      unparsed: totals.unparsed,
      unread,
      hits: hits.slice(0, maxResults),
      total: exact.length > 0 || query.isPart ? hits.length : collected.hits.length,
      match,
      name: query.text,
    }
  }

  /** Lines with a text as it is, those of tests last; undefined if no file has any. */
  async #textLines(
    text: string,
    scope: Scope,
    { maxResults = 20, signal }: SearchOptions,
  ): Promise<SearchResult | undefined> {
    const { files, account } = await this.#source.texts(text, scope, signal)
    const asides = files.map((real) => ({ real, path: this.#roots.nameOf(real) }))
    const ranked = asides.sort(
      (a, b) => Number(isTest(a.path)) - Number(isTest(b.path)) || (a.path < b.path ? -1 : 1),
    )
    const hits: SymbolHit[] = []
    let { unparsed } = account
    for (const { real, path } of ranked.slice(0, maxTextFiles)) {
      const file = await this.#outlined(real)
      const reason = 'unread' in file ? file.unread : file.unparsed
      if (reason !== undefined) unparsed = addUnparsed(unparsed, reason, path)
      if ('text' in file) hits.push(...lineHits(file, text))
    }
    if (hits.length === 0) return undefined
    return {
      ...account,
      unparsed,
      hits: hits.slice(0, Math.min(maxResults, maxTextLines)),
      total: hits.length,
      match: 'text',
      name: text,
      ...(files.length > maxTextFiles && { filesLeft: files.length - maxTextFiles }),
    }
  }

  /** Collects the symbols of files until others cannot be better, or the time is over. */
  async #collect(
    collected: CollectedHits,
    { reading, files, account }: Candidates,
    isLate: () => boolean,
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
      const isOver = done > 0 && isLate()
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

  /** The best symbols of the files that words describe; undefined if nothing is indexed. */
  async #describedSymbols(
    name: string,
    scope: Scope,
    { maxResults = 20, signal }: SearchOptions,
  ): Promise<SearchResult | undefined> {
    const described = await this.#source.describe(name, scope, signal)
    if (!described || described.files.length === 0) return undefined
    const { files, weights, pending, account } = described
    const hits: SymbolHit[] = []
    let { unparsed } = account
    let total = 0
    for (const [rank, real] of files.entries()) {
      const file = await this.#outlined(real)
      if ('unread' in file) {
        unparsed = addUnparsed(unparsed, file.unread, this.#roots.nameOf(real))
        continue
      }
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
      hits: hits.slice(0, maxResults),
      total,
      match: 'description',
      name,
      ...(pending > 0 && { notIndexed: pending }),
    }
  }

  /** A file with its symbols, or why it could not be read. */
  async #outlined(real: string): Promise<SourceFile | { unread: string }> {
    try {
      return await this.#files.outlined(real, await this.#source.symbolsOf(real))
    } catch (error) {
      if (error instanceof CodeError === false) throw error
      return { unread: reasonOf(error) }
    }
  }

  async #read(real: string): Promise<ReadSymbols> {
    const before = await stampOf(real).catch(() => undefined)
    const cached = this.#cache.get(real)
    if (cached && before?.stamp === cached.stamp) return { ...cached, isCached: true }
    const file = await this.#outlined(real)
    const read = 'unread' in file ? { hits: [], unparsed: file.unread } : await symbolsOf(file)
    if (before && !before.isFresh && read.unparsed === undefined)
      this.#cache.set(real, { stamp: before.stamp, ...read })
    return read
  }
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

/** Three words or more, or signs between words, are rather those of a text than of a name. */
const isLiteral = (text: string): boolean =>
  /\S\s+\S+\s+\S/.test(text) || (/\s/.test(text.trim()) && /[^\p{L}\p{N}\s_-]/u.test(text))

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
